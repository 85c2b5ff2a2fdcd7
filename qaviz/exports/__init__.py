"""What people take along: files, decision packs. Each writes what the analysis returns."""
