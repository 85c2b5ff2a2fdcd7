"""What people take along: files, decision packs, bundles. Each writes what the analysis returns."""
