#!/usr/bin/env bash
# Makes the claims, gives the plan to the cluster and starts the shards; merges them when all have ended.
set -eu
cd -- "$(dirname -- "$0")"
{{check_secrets}}kubectl apply{{kubectl_namespace}} --filename claims.yaml
kubectl create configmap {{plan_name}}{{kubectl_namespace}} --from-file=plan.json={{plan}} --dry-run=client --output yaml |
  kubectl apply{{kubectl_namespace}} --server-side --filename -
# A Job cannot be changed: those of an earlier submission go, the shards that they finished stay.
kubectl delete job {{name}} {{name}}-merge{{kubectl_namespace}} --ignore-not-found --wait
kubectl apply{{kubectl_namespace}} --filename shards.yaml
echo "waiting for job/{{name}}; after an interruption start the merge with: kubectl apply{{kubectl_namespace}} --filename merge.yaml"
until ended=$(kubectl get job {{name}}{{kubectl_namespace}} --output 'jsonpath={.status.conditions[?(@.status=="True")].type}') &&
  [[ $ended == *Complete* || $ended == *Failed* ]]; do
  sleep 10
done
kubectl apply{{kubectl_namespace}} --filename merge.yaml
