//! What the sample's names are made of.

pub(super) const FIRST: &[&str] = &[
    "Alder",
    "Birch",
    "Cedar",
    "Delta",
    "Ember",
    "Falcon",
    "Granite",
    "Harbor",
    "Iris",
    "Juniper",
    "Keystone",
    "Linden",
    "Meridian",
    "Northgate",
    "Oakfield",
    "Pioneer",
    "Quarry",
    "Ridge",
    "Sterling",
    "Tamarack",
    "Union",
    "Vesper",
    "Willow",
    "Yarrow",
    "Zenith",
    "Ada",
    "Brunel",
    "Curie",
    "Darby",
    "Euler",
];

pub(super) const SECOND: &[&str] = &[
    "Works",
    "Joinery",
    "Metals",
    "Builders",
    "Motors",
    "Interiors",
    "Roofing",
    "Marine",
    "Energy",
    "Gardens",
];

/// Country, its cities, and what its companies end in.
pub(super) const PLACES: &[(&str, &[&str], &str)] = &[
    ("de", &["Berlin", "Hamburg", "Leipzig", "Stuttgart"], "GmbH"),
    ("fr", &["Lyon", "Nantes", "Lille"], "SARL"),
    ("it", &["Torino", "Bologna"], "Srl"),
    ("nl", &["Utrecht", "Rotterdam"], "BV"),
    ("gb", &["Leeds", "Bristol", "Glasgow"], "Ltd"),
    ("us", &["Portland", "Austin", "Boston"], "Inc"),
];

/// Category, the letters of its SKUs, its things.
pub(super) const GOODS: &[(&str, &str, &[&str])] = &[
    (
        "tools",
        "TL",
        &[
            "Claw hammer",
            "Hand saw",
            "Torque wrench",
            "Chisel set",
            "Spirit level",
            "Block plane",
        ],
    ),
    (
        "fasteners",
        "FS",
        &[
            "Wood screws",
            "Hex bolts",
            "Wall plugs",
            "Rivets",
            "Threaded rod",
            "Washers",
        ],
    ),
    (
        "safety",
        "SF",
        &[
            "Safety goggles",
            "Work gloves",
            "Ear defenders",
            "Hard hat",
            "Dust mask",
        ],
    ),
    (
        "electrical",
        "EL",
        &[
            "Extension lead",
            "LED work lamp",
            "Cable ties",
            "Junction box",
            "Multimeter",
        ],
    ),
    (
        "storage",
        "ST",
        &[
            "Tool chest",
            "Parts bin",
            "Shelf unit",
            "Wall rack",
            "Drawer insert",
        ],
    ),
];

pub(super) const SIZES: &[&str] = &["small", "medium", "large", "pro"];

pub(super) const NOTES: &[&str] = &[
    "Deliver to the back gate.",
    "Call before delivery.",
    "Customer asked for a single shipment.",
    "Please add a printed invoice.",
];
