"""Trains a small network on scikit-learn's digits: one process, or many under torchrun (DistributedDataParallel).

Rank 0 prints each epoch and at the end the accuracy on images that no rank has trained on. It can be stopped after
any epoch and goes on there. The exit status is 0 only above 95 %.
"""

import argparse
import json
import os
import time

import numpy
import torch
import torch.distributed as dist
from sklearn.datasets import load_digits
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import job_tools
import yardmaster as ym
from job_tools import say

GOAL = 0.95
BATCH = 256  # over all ranks, so that their number does not change what is learnt


def rank():
    return dist.get_rank() if dist.is_initialized() else 0


def world():
    return dist.get_world_size() if dist.is_initialized() else 1


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
    """This rank's share of each batch of an epoch, the same in each attempt; every rank has as many batches."""
    order = torch.randperm(count, generator=torch.Generator().manual_seed(epoch))
    for start in range(0, count - BATCH + 1, BATCH):
        yield order[start + rank():start + BATCH:world()]


class Trainer:
    def __init__(self, network, device, rate):
        self.network, self.device = network.to(device), device
        # DistributedDataParallel gives every rank what rank 0 has.
        self.model = DistributedDataParallel(network, device_ids=[device.index] if device.type == "cuda" else None) \
            if dist.is_initialized() else network
        self.optimizer = torch.optim.Adam(network.parameters(), lr=rate)
        self.measure = nn.CrossEntropyLoss()
        self.loss = 0.0

    def epoch(self, number, images, labels):
        total = torch.zeros(1)
        for rows in my_batches(len(images), number):
            self.optimizer.zero_grad()
            loss = self.measure(self.model(images[rows].to(self.device)), labels[rows].to(self.device))
            loss.backward()
            self.optimizer.step()
            total += loss.detach().cpu() * BATCH / len(images)
        self.loss = total.item()

    def write(self, file):
        torch.save({"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(), "loss": self.loss}, file)

    def read(self, path):
        kept = torch.load(path, map_location=self.device)
        self.network.load_state_dict(kept["network"])
        self.optimizer.load_state_dict(kept["optimizer"])
        self.loss = kept["loss"]

    def accuracy(self, images, labels):
        self.network.eval()
        with torch.no_grad():
            return (self.network(images.to(self.device)).argmax(dim=1).cpu() == labels).float().mean().item()


def train(trainer, t, images, labels, options):
    """Whether it came to its end."""
    folder = job_tools.folder_of(t.checkpoint_dir)
    if t.resume_from:
        trainer.read(t.resume_from)
        say(f"resumed from step {t.resume_step()} (loss {trainer.loss:.4f})")
    for number in range(t.resume_step() + 1, options.epochs + 1):
        trainer.epoch(number, images, labels)
        time.sleep(options.pause)
        if rank() == 0:
            say(f"epoch {number}/{options.epochs} loss {trainer.loss:.4f}")
        t.report(number, options.epochs, loss=trainer.loss)
        if t.should_checkpoint():
            if t.notice and rank() == 0:
                say(job_tools.told_to_stop(t.notice))
            t.checkpoint(job_tools.save(folder, number, trainer.write) if rank() == 0 else folder, number)
            if rank() == 0:
                say(f"saved step {number} (loss {trainer.loss:.4f})")
        if t.should_stop():
            return False
    return True


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--statistics", help="mean and deviation of each pixel, as preprocess.py writes them")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds after an epoch, as if there were more data")
    parser.add_argument("--lr", type=float, nargs="+", default=[5e-3], help="the learning rate, or one for each member of an array")
    return parser.parse_args()


def main():
    options = arguments()
    cuda = torch.cuda.is_available()
    if "WORLD_SIZE" in os.environ:
        dist.init_process_group("nccl" if cuda else "gloo")
    device = torch.device("cuda", rank() % torch.cuda.device_count()) if cuda else torch.device("cpu")
    rate = options.lr[int(os.environ.get("YM_ARRAY_INDEX", 0)) % len(options.lr)]
    say(f"rank {rank()} of {world()} is up, on {device.type}, learning rate {rate}")

    torch.manual_seed(0)
    trainer = Trainer(nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)), device, rate)
    train_images, train_labels, test_images, test_labels = load(options.statistics)
    with ym.train() as t:
        if not train(trainer, t, train_images, train_labels, options):
            return 0  # stopped: the next attempt goes on
        reached = trainer.accuracy(test_images, test_labels)
        if rank() == 0:
            print(f"test accuracy {reached:.2f} with {world()} worker{'s' if world() > 1 else ''}", flush=True)
        if reached > GOAL:
            t.complete()
    if dist.is_initialized():
        dist.destroy_process_group()
    return 0 if reached > GOAL else 1


if __name__ == "__main__":
    raise SystemExit(main())
