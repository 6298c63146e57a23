# The manifest in each example's README, with the example's files, as a package of its own.
python3 -B Tests/Examples/manifests.py --work "$work/manifests" || fail "a manifest"
