//! The sample shop: models, permissions and an agent as files, and records to try them on.

mod fill;
mod rng;
mod shop;
mod words;

pub use fill::{Counts, fill};

/// The files of the sample workspace, by their path in it.
pub const FILES: &[(&str, &str)] = &[
    (
        "models/customer.yaml",
        include_str!("../../../../samples/shop/models/customer.yaml"),
    ),
    (
        "models/invoice.yaml",
        include_str!("../../../../samples/shop/models/invoice.yaml"),
    ),
    (
        "models/order.yaml",
        include_str!("../../../../samples/shop/models/order.yaml"),
    ),
    (
        "models/order_line.yaml",
        include_str!("../../../../samples/shop/models/order_line.yaml"),
    ),
    (
        "models/product.yaml",
        include_str!("../../../../samples/shop/models/product.yaml"),
    ),
    (
        "permissions/admin.yaml",
        include_str!("../../../../samples/shop/permissions/admin.yaml"),
    ),
    (
        "permissions/manager.yaml",
        include_str!("../../../../samples/shop/permissions/manager.yaml"),
    ),
    (
        "permissions/sales.yaml",
        include_str!("../../../../samples/shop/permissions/sales.yaml"),
    ),
    (
        "queries/revenue_by_country.yaml",
        include_str!("../../../../samples/shop/queries/revenue_by_country.yaml"),
    ),
    (
        "agents/shop.md",
        include_str!("../../../../samples/shop/agents/shop.md"),
    ),
];
