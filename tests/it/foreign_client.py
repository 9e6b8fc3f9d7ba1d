"""A gRPC client that knows nothing of Goodturn: it learns the contract by reflection, then calls as a member would.

Usage: foreign_client.py HOST:PORT TOKEN UID. Prints one line of JSON; tests/it/foreign.rs reads it.
"""

import json
import sys

import grpc
from google.protobuf import json_format
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase


def main(address: str, token: str, uid: str) -> None:
    with grpc.insecure_channel(address) as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        pool = DescriptorPool(database)

        def call(service: str, method: str, request: dict, metadata: tuple = ()) -> dict:
            rpc = pool.FindServiceByName(service).FindMethodByName(method)
            message = json_format.ParseDict(request, GetMessageClass(rpc.input_type)())
            invoke = channel.unary_unary(
                f"/{service}/{method}",
                request_serializer=lambda m: m.SerializeToString(),
                response_deserializer=GetMessageClass(rpc.output_type).FromString,
            )
            return json_format.MessageToDict(invoke(message, timeout=10, metadata=metadata))

        bearer = (("authorization", f"Bearer {token}"),)
        favors = "goodturn.favors.v1.FavorsService"
        created = call(favors, "CreateFavor", {"title": "Feed the cat", "description": "Twice a day."}, bearer)
        listed = call(favors, "ListActiveFavors", {"uid": uid}, bearer)
        try:
            call(favors, "ListActiveFavors", {"uid": uid})
            refused = None
        except grpc.RpcError as e:
            refused = e.code().name
        told = {
            "services": sorted(database.get_services()),
            "health": call("grpc.health.v1.Health", "Check", {})["status"],
            "created": created,
            "listed": listed,
            "refused": refused,
        }
        print(json.dumps(told))


main(*sys.argv[1:])
