"""Trains a small network on scikit-learn's digits with DistributedDataParallel, under torchrun.

Rank 0 prints each epoch and at the end the accuracy on images that no rank has trained on.
The exit status is 0 only above 95 %.
"""

import argparse
import json
import time

import numpy
import torch
import torch.distributed as dist
from sklearn.datasets import load_digits
from torch import nn
from torch.nn.parallel import DistributedDataParallel

GOAL = 0.95
BATCH = 256  # over all ranks, so that their number does not change what is learnt


def load(statistics):
    """(training images, labels, test images, labels), the same split in every rank."""
    images, labels = load_digits(return_X_y=True)
    mean, deviation = images.mean(axis=0), images.std(axis=0)
    if statistics:
        with open(statistics, encoding="ascii") as file:
            known = json.load(file)
        mean, deviation = numpy.array(known["mean"]), numpy.array(known["deviation"])
    images = (images - mean) / numpy.where(deviation > 0, deviation, 1)
    order = numpy.random.default_rng(0).permutation(len(images))
    split = len(images) // 4
    pick = lambda rows: (torch.tensor(images[rows], dtype=torch.float32), torch.tensor(labels[rows]))
    return *pick(order[split:]), *pick(order[:split])


def my_batches(count, epoch):
    """This rank's share of each batch of an epoch; every rank has as many batches."""
    rank, world = dist.get_rank(), dist.get_world_size()
    order = torch.randperm(count, generator=torch.Generator().manual_seed(epoch))
    for start in range(0, count - BATCH + 1, BATCH):
        yield order[start + rank:start + BATCH:world]


def train(model, images, labels, options, device):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    measure = nn.CrossEntropyLoss()
    for epoch in range(1, options.epochs + 1):
        total = torch.zeros(1)
        for rows in my_batches(len(images), epoch):
            optimizer.zero_grad()
            loss = measure(model(images[rows].to(device)), labels[rows].to(device))
            loss.backward()
            optimizer.step()
            total += loss.detach().cpu() * BATCH / len(images)
        if dist.get_rank() == 0:
            print(f"{time.strftime('%H:%M:%S')} epoch {epoch}/{options.epochs} loss {total.item():.4f}", flush=True)
        time.sleep(options.pause)


def accuracy(model, images, labels, device):
    model.eval()
    with torch.no_grad():
        return (model(images.to(device)).argmax(dim=1).cpu() == labels).float().mean().item()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--statistics", help="mean and deviation of each pixel, as preprocess.py writes them")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds after an epoch, as if there were more data")
    options = parser.parse_args()
    cuda = torch.cuda.is_available()
    dist.init_process_group("nccl" if cuda else "gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    device = torch.device("cuda", rank % torch.cuda.device_count()) if cuda else torch.device("cpu")
    print(f"rank {rank} of {world} is up, on {device.type}", flush=True)

    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)).to(device)
    model = DistributedDataParallel(network, device_ids=[device.index] if cuda else None)
    train_images, train_labels, test_images, test_labels = load(options.statistics)
    train(model, train_images, train_labels, options, device)

    reached = accuracy(model.module, test_images, test_labels, device)
    if rank == 0:
        print(f"test accuracy {reached:.2f} with {world} workers", flush=True)
    dist.destroy_process_group()
    return 0 if reached > GOAL else 1


if __name__ == "__main__":
    raise SystemExit(main())
