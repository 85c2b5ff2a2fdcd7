"""Where runs are kept: open a workspace, save a run in it, find it again."""
