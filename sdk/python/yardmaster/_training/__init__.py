"""What `yardmaster.training` is made of: environment, reporter, channel, notice, signals, agreement, advice."""
