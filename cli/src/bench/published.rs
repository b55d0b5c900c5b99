//! The numbers that came with the freelist randomization patch (RFC v2 of May 2016; 100,000 times; cycles).

/// A row of the published table: before the patch and after it.
pub(super) struct Published {
    /// The size in bytes.
    pub(super) size: u64,
    /// Test 1, kmalloc.
    pub(super) kmalloc: [u32; 2],
    /// Test 1, kfree.
    pub(super) kfree: [u32; 2],
    /// Test 2.
    pub(super) pair: [u32; 2],
}

const fn row(size: u64, kmalloc: [u32; 2], kfree: [u32; 2], pair: [u32; 2]) -> Published {
    Published { size, kmalloc, kfree, pair }
}

/// What an engine of the same rules written in C++ over raw pointers took on a machine like that of the README, in ticks
/// without hardening: kmalloc, kfree, pair, size by size.
pub(super) const RAW_POINTERS: [[f64; 3]; 10] = [
    [6.5, 15.0, 19.7],
    [8.0, 15.3, 19.7],
    [8.3, 15.7, 19.7],
    [9.1, 16.3, 19.7],
    [9.8, 17.5, 19.7],
    [11.9, 19.0, 19.7],
    [19.6, 22.2, 19.7],
    [53.0, 59.0, 25.0],
    [63.0, 66.0, 26.0],
    [157.0, 118.0, 27.0],
];

/// The table.
pub(super) const PUBLISHED: [Published; 10] = [
    row(8, [49, 57], [77, 78], [70, 66]),
    row(16, [51, 61], [79, 81], [70, 66]),
    row(32, [53, 76], [83, 93], [70, 66]),
    row(64, [62, 83], [90, 94], [70, 66]),
    row(128, [81, 106], [97, 107], [70, 65]),
    row(256, [98, 118], [121, 117], [69, 67]),
    row(512, [95, 114], [122, 116], [70, 67]),
    row(1024, [96, 115], [126, 118], [73, 64]),
    row(2048, [115, 147], [140, 131], [72, 67]),
    row(4096, [149, 214], [171, 161], [71, 67]),
];
