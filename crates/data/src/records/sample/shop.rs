use jiff::ToSpan;
use jiff::civil::Date;

use super::rng::Rng;
use super::words::{FIRST, GOODS, NOTES, PLACES, SECOND, SIZES};
use crate::records::values::cell::Cell;

const CUSTOMERS: usize = 180;
const ORDERS: usize = 900;
/// Orders reach back so many days.
const DAYS: i64 = 420;

/// The rows of every model, each with its columns in the order of [`COLUMNS`].
#[derive(Debug, Default)]
pub(super) struct Shop {
    pub(super) customers: Vec<Vec<Cell>>,
    pub(super) products: Vec<Vec<Cell>>,
    pub(super) orders: Vec<Vec<Cell>>,
    pub(super) lines: Vec<Vec<Cell>>,
    pub(super) invoices: Vec<Vec<Cell>>,
    /// Price and cost of each product, in cents.
    goods: Vec<(i64, i64)>,
}

/// The columns of each model, as the shop fills them.
pub(super) const CUSTOMER: &[&str] = &[
    "id",
    "name",
    "email",
    "city",
    "country",
    "sales_person",
    "since",
    "credit_limit",
    "version",
];
pub(super) const PRODUCT: &[&str] = &[
    "id", "sku", "name", "category", "price", "cost", "stock", "version",
];
pub(super) const ORDER: &[&str] = &[
    "id",
    "number",
    "customer",
    "status",
    "ordered_on",
    "shipped_on",
    "total",
    "margin",
    "note",
    "version",
];
pub(super) const LINE: &[&str] = &[
    "id",
    "order",
    "product",
    "quantity",
    "unit_price",
    "line_total",
    "margin",
];
pub(super) const INVOICE: &[&str] = &[
    "id",
    "number",
    "order",
    "issued_on",
    "due_on",
    "amount",
    "paid",
    "status",
    "version",
];

impl Shop {
    /// The shop of that seed, seen from `today`, its customers shared out among the sales people.
    pub(super) fn make(seed: u64, today: Date, sales_people: &[&str]) -> Self {
        let mut rng = Rng::new(seed);
        let mut shop = Self::default();
        shop.make_products(&mut rng);
        for id in 1..=CUSTOMERS {
            let person = sales_people.get(id % sales_people.len().max(1)).copied();
            shop.customers.push(customer(&mut rng, id, person, today));
        }
        // Oldest first, so that numbers grow with the days.
        let mut ages: Vec<i64> = (0..ORDERS).map(|_| rng.range(0, DAYS)).collect();
        ages.sort_by(|a, b| b.cmp(a));
        for (index, age) in ages.into_iter().enumerate() {
            shop.make_order(&mut rng, number(index) + 1, age, today);
        }
        shop
    }

    fn make_products(&mut self, rng: &mut Rng) {
        for (category, letters, things) in GOODS {
            for thing in *things {
                for size in SIZES {
                    let id = number(self.products.len()) + 1;
                    let price = rng.range(3, 400) * 100 + 99;
                    let cost = price * rng.range(45, 80) / 100;
                    self.goods.push((price, cost));
                    self.products.push(vec![
                        Cell::Int(id),
                        Cell::Text(format!("{letters}-{:04}", 1000 + id)),
                        Cell::Text(format!("{thing}, {size}")),
                        text(category),
                        Cell::Int(price),
                        Cell::Int(cost),
                        Cell::Int(rng.range(0, 500)),
                        Cell::Int(1),
                    ]);
                }
            }
        }
    }

    fn make_order(&mut self, rng: &mut Rng, id: i64, age: i64, today: Date) {
        let (mut total, mut margin) = (0, 0);
        for _ in 0..rng.range(1, 5) {
            let product = rng.range(1, number(self.goods.len()));
            let at = usize::try_from(product - 1).unwrap_or_default();
            let (price, cost) = self.goods.get(at).copied().unwrap_or_default();
            let quantity = rng.range(1, 12);
            let (line_total, line_margin) = (price * quantity, (price - cost) * quantity);
            total += line_total;
            margin += line_margin;
            let line = number(self.lines.len()) + 1;
            let values = [line, id, product, quantity, price, line_total, line_margin];
            self.lines.push(values.into_iter().map(Cell::Int).collect());
        }
        let status = status(rng, age);
        let shipped =
            matches!(status, "shipped" | "delivered").then(|| age - rng.range(0, age.min(4)));
        let note = if rng.percent(15) {
            rng.pick(NOTES).map_or(Cell::Null, |note| text(note))
        } else {
            Cell::Null
        };
        self.orders.push(vec![
            Cell::Int(id),
            Cell::Text(format!("SO-{}", 10_000 + id)),
            Cell::Int(rng.range(1, number(CUSTOMERS))),
            text(status),
            day(today, age),
            shipped.map_or(Cell::Null, |age| day(today, age)),
            Cell::Int(total),
            Cell::Int(margin),
            note,
            Cell::Int(1),
        ]);
        if let Some(shipped) = shipped {
            self.make_invoice(rng, id, shipped, (today, total));
        }
    }

    fn make_invoice(&mut self, rng: &mut Rng, order: i64, age: i64, (today, amount): (Date, i64)) {
        let id = number(self.invoices.len()) + 1;
        let due = age - 30;
        let paid = rng.percent(if due > 0 { 92 } else { 35 });
        let status = match (paid, due > 0) {
            (true, _) => "paid",
            (false, true) => "overdue",
            (false, false) => "open",
        };
        self.invoices.push(vec![
            Cell::Int(id),
            Cell::Text(format!("INV-{}", 20_000 + id)),
            Cell::Int(order),
            day(today, age),
            day(today, due),
            Cell::Int(amount),
            Cell::Int(i64::from(paid)),
            text(status),
            Cell::Int(1),
        ]);
    }
}

fn customer(rng: &mut Rng, id: usize, sales_person: Option<&str>, today: Date) -> Vec<Cell> {
    let first = FIRST.get(id % FIRST.len()).copied().unwrap_or_default();
    let second = SECOND
        .get(id / FIRST.len() % SECOND.len())
        .copied()
        .unwrap_or_default();
    let (country, cities, ending) =
        rng.pick(PLACES)
            .copied()
            .unwrap_or(("de", &["Berlin"], "GmbH"));
    let city = rng.pick(cities).copied().unwrap_or_default();
    vec![
        Cell::Int(number(id)),
        Cell::Text(format!("{first} {second} {ending}")),
        Cell::Text(format!(
            "office{id}@{}-{}.example",
            first.to_lowercase(),
            second.to_lowercase()
        )),
        text(city),
        text(country),
        sales_person.map_or(Cell::Null, text),
        day(today, rng.range(DAYS, 3000)),
        Cell::Int(rng.range(1, 40) * 50_000),
        Cell::Int(1),
    ]
}

/// The older an order, the further it has come.
fn status(rng: &mut Rng, age: i64) -> &'static str {
    if rng.percent(4) {
        return "cancelled";
    }
    match age {
        0..=2 => {
            if rng.percent(60) {
                "draft"
            } else {
                "confirmed"
            }
        }
        3..=7 => {
            if rng.percent(60) {
                "confirmed"
            } else {
                "shipped"
            }
        }
        8..=21 => {
            if rng.percent(55) {
                "shipped"
            } else {
                "delivered"
            }
        }
        _ => {
            if rng.percent(3) {
                "confirmed"
            } else {
                "delivered"
            }
        }
    }
}

fn day(today: Date, ago: i64) -> Cell {
    Cell::Text(today.saturating_sub(ago.days()).to_string())
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
