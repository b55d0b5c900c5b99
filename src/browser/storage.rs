//! The tab's storage: it lasts a reload, and ends with the tab.

use super::window;
use core::fmt;

/// Why nothing could be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageError {
    /// The browser has no storage for this page, or the reader switched it off.
    Absent,
    /// It is full.
    Full,
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absent => "this browser keeps nothing for the page",
            Self::Full => "the tab’s storage is full",
        })
    }
}

impl core::error::Error for StorageError {}

/// What is kept under `key`.
#[must_use]
pub fn kept(key: &str) -> Option<String> {
    window()?.session_storage().ok().flatten()?.get_item(key).ok().flatten()
}

/// Keeps `text` under `key`.
///
/// # Errors
/// Where there is no storage, or no room in it.
pub fn keep(key: &str, text: &str) -> Result<(), StorageError> {
    let storage = window().and_then(|window| window.session_storage().ok().flatten()).ok_or(StorageError::Absent)?;
    storage.set_item(key, text).map_err(|_| StorageError::Full)
}
