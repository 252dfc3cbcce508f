"""The parts of `yardmaster.training`: environment, reporter, channel, notice, signals, agreement, advice."""
