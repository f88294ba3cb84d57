"""What the rooms show, one file for each: results as words, without markup."""
