//! The rows that tasks return: lists of the parts they have written.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{ArrayRef, AsArray, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::error::{DataFusionError, Result};
use sitemap_site::PartList;

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    Arc::new(Schema::new(vec![
        Field::new("task", DataType::Utf8, false),
        Field::new("part", DataType::Int64, true),
        Field::new("entries", DataType::Int64, false),
        Field::new("bytes", DataType::Int64, false),
        Field::new("list", DataType::Utf8, true),
    ]))
});

/// The columns of the rows that tasks return: one row for each part.
///
/// | column | type | null | content |
/// |---|---|---|---|
/// | `task` | Utf8 | no | name of the task |
/// | `part` | Int64 | if the task wrote no part | number of the part in its task, from 1 |
/// | `entries` | Int64 | no | entries of the part |
/// | `bytes` | Int64 | no | size of the part's XML, uncompressed |
/// | `list` | Utf8 | except in the first row of a task | the task's [`PartList`] as JSON |
///
/// A task without rows returns none; a task that skipped all of its rows returns one, whose `part` is null.
pub fn parts_schema() -> SchemaRef {
    Arc::clone(&SCHEMA)
}

/// The lists of all tasks, from the rows that the tasks returned.
///
/// # Errors
/// If the rows do not come from tasks.
pub fn part_lists(written: &[RecordBatch]) -> Result<Vec<PartList>> {
    let mut lists = Vec::new();
    for batch in written {
        let Some(column) = batch.column_by_name("list") else {
            return Err(DataFusionError::Plan(
                "these are not rows of parts: there is no column `list`".to_owned(),
            ));
        };
        let column = cast(column, &DataType::Utf8)?;
        for list in column.as_string::<i32>().iter().flatten() {
            lists.push(serde_json::from_str(list).map_err(|error| DataFusionError::External(error.into()))?);
        }
    }
    Ok(lists)
}

/// The rows of one task.
pub(super) fn rows_of(list: &PartList) -> Result<RecordBatch> {
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let rows = list.parts().len().max(1);
    let json = serde_json::to_string(list).map_err(|error| DataFusionError::External(error.into()))?;
    let lists = std::iter::once(Some(json))
        .chain(std::iter::repeat(None))
        .take(rows);
    let or_none = |numbers: Vec<i64>| if numbers.is_empty() { vec![0] } else { numbers };
    let numbers = (1..).take(list.parts().len()).map(Some);
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(vec![list.task(); rows])),
        Arc::new(Int64Array::from_iter(if list.parts().len() == 0 {
            vec![None]
        } else {
            numbers.collect()
        })),
        Arc::new(Int64Array::from(or_none(
            list.parts().map(|part| number(part.entries)).collect(),
        ))),
        Arc::new(Int64Array::from(or_none(
            list.parts().map(|part| number(part.bytes)).collect(),
        ))),
        Arc::new(lists.collect::<StringArray>()),
    ];
    Ok(RecordBatch::try_new(parts_schema(), columns)?)
}
