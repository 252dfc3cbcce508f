"""Ranks decide together.

If one rank stops and another does not, the other hangs in its next collective. So a notice, a signal or a timer that a
rank sees is only a vote. The votes of all ranks are combined by maximum, and each rank acts on the result.

The agreement is itself a collective, so all ranks must agree at the same calls. The number of calls decides which calls
these are, never the clock of a rank. Each rank proposes from its own pace how many calls to skip. The proposals are
part of the votes, and the smallest wins.
"""

from __future__ import annotations

import importlib
import os
import time
from typing import Any, Callable, List, Optional, Sequence

from .environment import natural, torch_group
from .trouble import Trouble

Reduce = Callable[[Sequence[int]], Sequence[int]]

_PACE = 1.0  # seconds between two agreements, as a target
_MOST_CALLS = 64  # bounds how late a notice is seen if steps suddenly take longer


class Agreement:
    def __init__(
        self,
        trouble: Trouble,
        reduce: Optional[Reduce] = None,
        every: Optional[int] = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`reduce`: element-wise maximum over the ranks. Default: torch.distributed, once it is initialised.

        `every`: agree at every Nth call, with the same N in each rank, instead of by pace.
        """
        self._trouble, self._given, self._every, self._clock = trouble, reduce, every, clock
        self._reduce: Optional[Reduce] = None
        self._broken = False
        self._restart()

    def _restart(self) -> None:
        self._calls_left = 0
        self._calls = 0
        self._period = self._every or 1
        self._agreed_at: Optional[float] = None

    def has_begun(self) -> bool:
        """Whether the ranks became able to agree since the last call. Call it first each time."""
        reduce = None if self._broken else self._given or torch_reduce()
        was, self._reduce = self._reduce, reduce
        if was is not None or reduce is None:
            return False
        self._restart()
        return True

    def is_time(self) -> bool:
        """Counts a call. Returns whether the ranks agree at this call."""
        if self._reduce is None:
            return True
        self._calls += 1
        self._calls_left -= 1
        return self._calls_left <= 0

    def agree(self, votes: Sequence[int]) -> List[int]:
        """The largest vote for each question, the same in all ranks. The rank's own votes if the ranks cannot agree."""
        if self._reduce is None:
            return [*votes]
        proposed = self._proposed()
        try:
            agreed = [int(value) for value in self._reduce([*votes, -proposed])]
        except Exception as error:
            # Another rank is gone or hangs. The next collective of the training fails too, and reports that.
            self._trouble.tell("the ranks cannot agree any more", error)
            self._broken, self._reduce = True, None
            return [*votes]
        self._period = self._calls_left = max(-agreed[-1], 1)
        self._calls = 0
        self._agreed_at = self._clock()
        return agreed[:-1]

    def _proposed(self) -> int:
        if self._every is not None:
            return self._every
        if self._agreed_at is None:
            return 1
        each = (self._clock() - self._agreed_at) / max(self._calls, 1)
        wanted = _PACE / each if each > 0 else _MOST_CALLS
        # At most doubled: the first steps do not predict the pace of the others.
        return max(1, min(int(min(wanted, _MOST_CALLS)), self._period * 2))


def torch_reduce() -> Optional[Reduce]:
    """Uses the default group of torch.distributed if it has several ranks."""
    distributed = torch_group()
    if distributed is None or distributed.get_world_size() < 2:
        return None
    return lambda votes: _all_reduce(distributed, votes)


def _all_reduce(distributed: Any, votes: Sequence[int]) -> List[int]:
    torch = importlib.import_module("torch")  # already imported, because the program uses its part `distributed`
    tensor = torch.tensor(list(votes), dtype=torch.int64, device=_device(torch, str(distributed.get_backend())))
    distributed.all_reduce(tensor, op=distributed.ReduceOp.MAX)
    return [int(value) for value in tensor.tolist()]


def _device(torch: Any, backend: str) -> Any:
    """A device on which the group's backend can reduce. The CPU if possible, because that waits for no device."""
    if any(name in backend for name in ("gloo", "mpi", "ucc", "undefined")):
        return torch.device("cpu")
    if "nccl" in backend:
        return torch.device("cuda", _cuda_index(torch.cuda.current_device(), torch.cuda.device_count()))
    accelerator = getattr(torch, "accelerator", None)
    return accelerator.current_accelerator() if accelerator is not None else torch.device("cpu")


def _cuda_index(current: int, count: int) -> int:
    """Two ranks on one device fail. A program that names its device in each call may not have set the current one."""
    local_rank = natural(os.environ.get("LOCAL_RANK")) or 0
    return local_rank if current == 0 and local_rank < count else current
