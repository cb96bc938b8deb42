//! What a video costs.

use serde::{Deserialize, Serialize};

use crate::model::Decimal;
use crate::model::checked::text_or_fields;
use crate::model::listed::listed;

/// What it costs to see a video.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[non_exhaustive]
pub struct Price {
    /// How much; `None` if only the kind of price is said.
    #[serde(rename = "$text", default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Decimal>,
    /// In which currency, an ISO 4217 code such as `EUR`.
    #[serde(rename = "@currency", default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// What is paid for.
    #[serde(rename = "@type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PriceKind>,
    /// In which resolution it is then.
    #[serde(rename = "@resolution", default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Resolution>,
}

impl Price {
    /// So much of a currency.
    pub fn new(value: impl Into<Decimal>, currency: impl Into<String>) -> Self {
        Price {
            value: Some(value.into()),
            currency: Some(currency.into()),
            kind: None,
            resolution: None,
        }
    }

    /// A price of a kind, without saying how much.
    pub fn of_kind(kind: PriceKind) -> Self {
        Price {
            value: None,
            currency: None,
            kind: Some(kind),
            resolution: None,
        }
    }
}

listed! {
    /// What a price is for.
    PriceKind {
        /// To see it for a time.
        Rent = "rent" | "RENT",
        /// To have it.
        Purchase = "purchase" | "PURCHASE",
    }
}

listed! {
    /// The resolution of a video.
    Resolution {
        /// High definition.
        Hd = "HD" | "hd",
        /// Standard definition.
        Sd = "SD" | "sd",
    }
}

text_or_fields! {
    Price("a price") |text| {
        Ok(Price {
            value: Some(text.parse()?),
            currency: None,
            kind: None,
            resolution: None,
        })
    };
}
