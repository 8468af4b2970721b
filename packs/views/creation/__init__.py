"""New packs: samples, three answers, files from elsewhere, and the steps to a first version."""
