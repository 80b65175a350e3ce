"""Writes page_checksum.parquet: three texts in one page with a checksum, not compressed."""

import pyarrow as pa
import pyarrow.parquet as pq

TABLE = pa.table({"text": ["foo bar", "lorem ipsum", "dolor sit"]})
pq.write_table(TABLE, "page_checksum.parquet", write_page_checksum=True, compression="none", use_dictionary=False)
