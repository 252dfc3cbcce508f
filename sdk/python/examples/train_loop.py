"""A PyTorch loop that can be preempted at any step, and resumes from its last checkpoint.

Runs anywhere: `python train_loop.py`, `torchrun --nproc_per_node=2 train_loop.py`, and as a Yardmaster job:

    name: example
    run: [python3, train_loop.py, --steps, "20000"]
    checkpoint: {dir: /data/example, every: 15m}
    preemption: {grace: 60s}
"""

import argparse
import os
import pathlib

import torch
import torch.distributed as dist
from torch import nn

import yardmaster as ym


def save(folder, step, model, optimizer):
    """Saves a checkpoint. It is complete and on disk when this returns."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"step-{step:08d}.pt"
    beside = path.with_suffix(".tmp")
    with beside.open("wb") as file:
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    for old in sorted(folder.glob("step-*.pt"))[:-3]:  # Yardmaster remembers the three newest
        old.unlink()
    return path


def batch_of(step, rank, device):
    """The data of a step. It is the same in each attempt, so a resumed training sees no data twice."""
    generator = torch.Generator().manual_seed(step * 1000 + rank)
    inputs = torch.randn(64, 16, generator=generator)
    return inputs.to(device), inputs.sum(dim=1, keepdim=True).to(device)


def join_the_others():
    """This rank and its device; with torchrun also the group of all ranks."""
    cuda = torch.cuda.is_available()
    if "WORLD_SIZE" in os.environ:
        dist.init_process_group("nccl" if cuda else "gloo")
    rank = dist.get_rank() if dist.is_initialized() else 0
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    return rank, device


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=2000)
    options = parser.parse_args()
    rank, device = join_the_others()
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    with ym.train() as t:
        folder = pathlib.Path(t.checkpoint_dir or "checkpoints")
        start = t.resume_step()
        if t.resume_from:
            state = torch.load(t.resume_from, map_location=device)
            model.load_state_dict(state["model"])
            optimizer.load_state_dict(state["optimizer"])
        trained = nn.parallel.DistributedDataParallel(model) if dist.is_initialized() else model
        if rank == 0:
            print(f"attempt {t.attempt}, from step {start}", flush=True)

        for step in range(start, options.steps):
            inputs, targets = batch_of(step, rank, device)
            loss = nn.functional.mse_loss(trained(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

            done = step + 1
            t.report(done, options.steps, loss=loss)
            if rank == 0 and done % 500 == 0:
                print(f"step {done} loss {loss.item():.4f}", flush=True)
            if t.should_checkpoint():
                t.checkpoint(save(folder, done, model, optimizer) if rank == 0 else folder, done)
            if t.should_stop():
                break
        else:
            t.complete()

    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
