//! How large a cache's slabs are: `calculate_order`, `slab_order` (mm/slub.c, 2.6.24 to 7.3).

use super::LayoutError;
use crate::kernel::{Model, OrderSearch, WantedObjects};
use crate::units::Order;

/// Most objects that a slab can count (15 bits).
const MAX_OBJECTS: u64 = 32_767;

/// `calculate_order`: as many objects as are wanted, at no more than a sixteenth wasted, then an eighth, and so on; where
/// no order is fit, fewer objects, or the order that one object needs.
pub(super) fn slab_order(size: u64, model: &Model) -> Result<Order, LayoutError> {
    let wanted = u64::from(match model.wanted_objects {
        WantedObjects::Fixed(objects) => objects,
        WantedObjects::ByCpus => 4 * (bit_length(model.cpus) + 1),
    });
    let search = SlabSearch { size, max_order: model.max_slab_order };
    let most = (Order::from_raw(search.max_order).bytes() / size).max(1);
    let found = match model.order_search {
        OrderSearch::HalvedObjects => search.halving(wanted),
        OrderSearch::FewerObjects => search.fewer_and_fewer(wanted.min(most)),
        OrderSearch::MoreWaste => {
            [16, 8, 4, 2].into_iter().find_map(|part| search.wasting_at_most(wanted.min(most), part))
        }
    };
    let order = found.unwrap_or_else(|| Order::holding(size));
    if order <= Order::MAX { Ok(order) } else { Err(LayoutError::ObjectSize { object_size: size }) }
}

/// The search for an order.
struct SlabSearch {
    size: u64,
    max_order: u32,
}

impl SlabSearch {
    fn halving(&self, objects: u64) -> Option<Order> {
        core::iter::successors(Some(objects), |objects| Some(objects / 2).filter(|objects| *objects > 1))
            .flat_map(|objects| [8, 4].map(|part| (objects, part)))
            .chain([(1, 1)])
            .find_map(|(objects, part)| self.wasting_at_most(objects, part))
    }

    fn fewer_and_fewer(&self, objects: u64) -> Option<Order> {
        let fewer = (2..=objects).rev();
        fewer
            .flat_map(|objects| [16, 8, 4].map(|part| (objects, part)))
            .chain([(1, 1)])
            .find_map(|(objects, part)| self.wasting_at_most(objects, part))
    }

    /// `slab_order` / `calc_slab_order`: the first order from the one that holds `objects` whose rest is small enough.
    fn wasting_at_most(&self, objects: u64, fraction: u64) -> Option<Order> {
        let lowest = Order::holding(objects * self.size);
        if lowest.bytes() / self.size > MAX_OBJECTS {
            return Some(Order::from_raw(Order::holding(self.size * MAX_OBJECTS).raw() - 1));
        }
        let mut orders = (lowest.raw()..=self.max_order).map(Order::from_raw);
        orders.find(|order| order.bytes() % self.size <= order.bytes() / fraction)
    }
}

/// The kernel's `fls`: 1 for 1, 3 for 4.
const fn bit_length(value: u32) -> u32 {
    u32::BITS - value.leading_zeros()
}
