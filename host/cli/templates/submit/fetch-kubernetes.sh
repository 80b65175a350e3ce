#!/usr/bin/env bash
# Copies the merged results from their claim into a folder here: bash fetch.sh [FOLDER]. Written by `mteb-host submit kubernetes`;
# change it as you like. A pod that mounts the claim is started for this, and removed again.
set -eu
folder=${1:-results}
pod={{name}}-fetch
trap 'kubectl delete pod{{kubectl_namespace}} "$pod" --ignore-not-found --wait=false' EXIT
kubectl apply{{kubectl_namespace}} --filename - <<'END'
apiVersion: v1
kind: Pod
metadata:
  name: {{name}}-fetch
{{namespace}}spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    seccompProfile: { type: RuntimeDefault }
  containers:
    - name: mteb-host
      image: {{image}}
      command: [sleep, "3600"]
      resources: { limits: { cpu: "1", memory: 256Mi } }
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
      volumeMounts:
        - { name: results, mountPath: /results, readOnly: true }
  volumes:
    - { name: results, persistentVolumeClaim: { claimName: {{results_claim}} } }
END
kubectl wait{{kubectl_namespace}} --for=condition=Ready --timeout=10m "pod/$pod"
kubectl cp{{kubectl_namespace}} "$pod:/results/merged" "$folder"
