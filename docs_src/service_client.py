from claimscope.service.client import Client

client = Client("http://127.0.0.1:8765")

case = client.check("Aspirin lowers the risk of heart attack.")
print(case["verdict"]["label"])

# The papers arrive first, as "candidates"; the "verdict" follows.
for event, case in client.stream("Sugar makes children hyperactive."):
    print(event, [paper["id"] for paper in case["candidates"]])

# A job checks many claims in the background and survives a restart of the server.
job = client.submit(["Antarctica is losing ice.", "The MMR vaccine causes autism."])
client.wait(job.id, seconds=600)
for item in client.results(job.id):
    print(item["claim"], item["result"]["verdict"]["label"])
