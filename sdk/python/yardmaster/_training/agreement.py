"""Ranks deciding together.

If one rank stops and another does not, the other hangs in its next collective. So what a rank sees (a notice, a signal,
a timer) is only its vote: the votes are combined by maximum over all ranks, and every rank acts on the result.

That is a collective itself, so all ranks must do it at the same calls: which calls these are follows from counting
alone, never from a rank's own clock. How many calls to leave out is proposed by each rank from its own pace and agreed
with the votes; the smallest proposal wins.
"""

from __future__ import annotations

import importlib
import os
import time
from typing import Any, Callable, List, Optional, Sequence

from .environment import natural, torch_group
from .trouble import Trouble

Reduce = Callable[[Sequence[int]], Sequence[int]]

_PACE = 1.0  # seconds between two agreements that are aimed at
_MOST_CALLS = 64  # bounds how late a notice is seen when steps suddenly take longer


class Agreement:
    def __init__(
        self,
        trouble: Trouble,
        reduce: Optional[Reduce] = None,
        every: Optional[int] = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`reduce`: element-wise maximum over the ranks; torch.distributed's by default, once it is initialised.

        `every`: agree at every so many calls, the same number in each rank, rather than by pace.
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
        """Whether since the last call the ranks became able to agree. Call it first, each time."""
        reduce = None if self._broken else self._given or torch_reduce()
        was, self._reduce = self._reduce, reduce
        if was is not None or reduce is None:
            return False
        self._restart()
        return True

    def is_time(self) -> bool:
        """Counts a call; whether the ranks agree at this one."""
        if self._reduce is None:
            return True
        self._calls += 1
        self._calls_left -= 1
        return self._calls_left <= 0

    def agree(self, votes: Sequence[int]) -> List[int]:
        """The largest vote for each question, the same in all ranks; one's own where nothing can be agreed."""
        if self._reduce is None:
            return [*votes]
        proposed = self._proposed()
        try:
            agreed = [int(value) for value in self._reduce([*votes, -proposed])]
        except Exception as error:
            # Another rank is gone or stuck: training's next collective fails too, and says so.
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
        # At most doubled: the first steps are no measure of the others.
        return max(1, min(int(min(wanted, _MOST_CALLS)), self._period * 2))


def torch_reduce() -> Optional[Reduce]:
    """By the default group of torch.distributed, where there is one of several ranks."""
    distributed = torch_group()
    if distributed is None or distributed.get_world_size() < 2:
        return None
    return lambda votes: _all_reduce(distributed, votes)


def _all_reduce(distributed: Any, votes: Sequence[int]) -> List[int]:
    torch = importlib.import_module("torch")  # is there: its part `distributed` is in use
    tensor = torch.tensor(list(votes), dtype=torch.int64, device=_device(torch, str(distributed.get_backend())))
    distributed.all_reduce(tensor, op=distributed.ReduceOp.MAX)
    return [int(value) for value in tensor.tolist()]


def _device(torch: Any, backend: str) -> Any:
    """Where the group's backend can reduce: on the CPU if at all, since that waits for no device."""
    if any(name in backend for name in ("gloo", "mpi", "ucc", "undefined")):
        return torch.device("cpu")
    if "nccl" in backend:
        return torch.device("cuda", _cuda_index(torch.cuda.current_device(), torch.cuda.device_count()))
    accelerator = getattr(torch, "accelerator", None)
    return accelerator.current_accelerator() if accelerator is not None else torch.device("cpu")


def _cuda_index(current: int, count: int) -> int:
    """Two ranks on one device fail; a program that names its device each time may not have set the current one."""
    local_rank = natural(os.environ.get("LOCAL_RANK")) or 0
    return local_rank if current == 0 and local_rank < count else current
