//! Memory in shared pages: a clone of the whole costs a pointer a page, a write copies one page at most.

use super::{Bytes, Fault, by_page, offset_in_page};
use crate::sorted::Map;
use crate::units::{PAGE_SHIFT, PAGE_SIZE, Pfn, VirtAddr, count_from, index_from};
use std::rc::Rc;

/// The bytes of a page frame.
pub type Page = [u8; 4096];

/// RAM, of which a window is held page by page. RAM outside of the window reads as zero until it is written.
#[derive(Clone, Debug)]
pub struct Paged {
    ram: Pfn,
    /// Where the window starts; all of it is RAM.
    base: VirtAddr,
    window: Vec<Rc<Page>>,
    elsewhere: Map<Pfn, Rc<Page>>,
    zero: Rc<Page>,
}

impl Paged {
    /// `ram` pages of RAM from frame 0 on, `held` of them, from `first` on, in the window.
    #[must_use]
    pub fn new(ram: u32, first: Pfn, held: u32) -> Self {
        let zero = Rc::new([0; 4096]);
        let held = held.min(u32::try_from(u64::from(ram).saturating_sub(first.raw())).unwrap_or(0));
        Self {
            ram: Pfn::from_raw(u64::from(ram)),
            base: first.address(),
            window: vec![Rc::clone(&zero); index_from(held)],
            elsewhere: Map::default(),
            zero,
        }
    }

    /// Whether the byte at `at` lies in the window or was ever written: other RAM reads as zero for want of knowledge.
    #[must_use]
    pub fn is_held(&self, at: VirtAddr) -> bool {
        self.window.get(self.window_index(at)).is_some() || at.pfn().and_then(|pfn| self.elsewhere.get(&pfn)).is_some()
    }

    /// The pages that were ever written, by frame.
    pub fn written(&self) -> impl Iterator<Item = (Pfn, &Page)> {
        let window = self.window.iter().enumerate().filter_map(|(index, page)| {
            let pfn = self.base.wrapping_add(u64::from(count_from(index)) * PAGE_SIZE).pfn()?;
            (!Rc::ptr_eq(page, &self.zero)).then_some((pfn, &**page))
        });
        window.chain(self.elsewhere.iter().map(|(pfn, page)| (*pfn, &**page)))
    }

    /// The page of `pfn`, shared: equal pointers mean equal bytes.
    #[must_use]
    pub fn page(&self, pfn: Pfn) -> &Rc<Page> {
        let held = self.window.get(self.window_index(pfn.address()));
        held.unwrap_or_else(|| self.elsewhere.get(&pfn).unwrap_or(&self.zero))
    }

    /// An address before the window wraps to a page far beyond its last.
    #[inline(always)]
    fn window_index(&self, at: VirtAddr) -> usize {
        usize::try_from(at.raw().wrapping_sub(self.base.raw()) >> PAGE_SHIFT).unwrap_or(usize::MAX)
    }

    fn page_at(&self, at: VirtAddr) -> Result<&Page, Fault> {
        let pfn = at.pfn().filter(|pfn| *pfn < self.ram).ok_or(Fault::at(at))?;
        Ok(&**self.page(pfn))
    }

    fn page_at_mut(&mut self, at: VirtAddr) -> Result<&mut Page, Fault> {
        let pfn = at.pfn().filter(|pfn| *pfn < self.ram).ok_or(Fault::at(at))?;
        let index = self.window_index(at);
        let page = match self.window.get_mut(index) {
            Some(page) => page,
            None => self.elsewhere.or_insert(pfn, &self.zero),
        };
        Ok(Rc::make_mut(page))
    }
}

impl Bytes for Paged {
    /// One that is all in one page of the window.
    #[inline(always)]
    fn word(&self, at: VirtAddr) -> Option<u64> {
        let page = self.window.get(self.window_index(at))?;
        page.get(offset_in_page(at)..)?.first_chunk().map(|word| u64::from_le_bytes(*word))
    }

    /// One that is all in one page of the window, which nobody shares.
    #[inline(always)]
    fn word_mut(&mut self, at: VirtAddr) -> Option<&mut [u8; 8]> {
        let index = self.window_index(at);
        Rc::get_mut(self.window.get_mut(index)?)?.get_mut(offset_in_page(at)..)?.first_chunk_mut()
    }

    fn copy_out(&self, at: VirtAddr, into: &mut [u8]) -> Result<(), Fault> {
        for (here, piece) in by_page(at, into.len()) {
            let offset = offset_in_page(here);
            let page = self.page_at(here)?;
            let len = piece.len();
            into[piece].copy_from_slice(&page[offset..offset + len]);
        }
        Ok(())
    }

    fn copy_in(&mut self, at: VirtAddr, from: &[u8]) -> Result<(), Fault> {
        for (here, piece) in by_page(at, from.len()) {
            let offset = offset_in_page(here);
            let len = piece.len();
            self.page_at_mut(here)?[offset..offset + len].copy_from_slice(&from[piece]);
        }
        Ok(())
    }

    fn fill(&mut self, at: VirtAddr, len: u64, byte: u8) -> Result<(), Fault> {
        let len = index_from(u32::try_from(len).unwrap_or(u32::MAX));
        for (here, piece) in by_page(at, len) {
            let offset = offset_in_page(here);
            self.page_at_mut(here)?[offset..offset + piece.len()].fill(byte);
        }
        Ok(())
    }

    fn piece_mut(&mut self, at: VirtAddr, len: u64) -> Option<&mut [u8]> {
        let offset = offset_in_page(at);
        let end = offset.checked_add(usize::try_from(len).ok()?)?;
        // More than a page is not worth a look at the first of them.
        if end > size_of::<Page>() { None } else { self.page_at_mut(at).ok()?.get_mut(offset..end) }
    }

    fn is_mapped(&self, at: VirtAddr) -> bool {
        self.page_at(at).is_ok()
    }
}
