"""A server that speaks as S3 does, with the empty bucket `results`.

Prints its address. A line `list` on standard input is answered by the number of objects and of each its name and when it was written, `get NAME` by
the object as one line, `save FOLDER` by the number of objects that it has written there; it ends with its input.
"""

import logging
import pathlib
import sys

import boto3
from moto.server import ThreadedMotoServer

logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
address = f"http://{host}:{port}"
client = boto3.client("s3", endpoint_url=address, region_name="us-east-1", aws_access_key_id="id", aws_secret_access_key="secret")
client.create_bucket(Bucket="results")
print(address, flush=True)
for line in sys.stdin:
    command, _, name = line.strip().partition(" ")
    if command in ("list", "save"):
        pages = client.get_paginator("list_objects_v2").paginate(Bucket="results")
        entries = [entry for page in pages for entry in page.get("Contents", [])]
        for entry in entries if command == "save" else []:
            path = pathlib.Path(name, entry["Key"])
            path.parent.mkdir(parents=True, exist_ok=True)
            client.download_file("results", entry["Key"], str(path))
        print(len(entries))
        for entry in entries if command == "list" else []:
            print(entry["Key"], entry["LastModified"].timestamp())
        sys.stdout.flush()
    elif command == "get":
        print(client.get_object(Bucket="results", Key=name)["Body"].read().decode().replace("\n", " "), flush=True)
