{{- /* What the pods share. Why each of it is so: deploy/kubernetes/base. */ -}}

{{- define "tenure.name" -}}
{{- if contains "tenure" .Release.Name }}{{ .Release.Name }}
{{- else }}{{ .Release.Name }}-tenure
{{- end }}
{{- end }}

{{- /* Of a list: the root, the component. */ -}}
{{- define "tenure.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: tenure
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "tenure.labels" -}}
{{- $root := index . 0 -}}
{{ include "tenure.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ $root.Chart.Name }}-{{ $root.Chart.Version }}
{{- end }}

{{- define "tenure.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "tenure.annotations" -}}
{{- if and .Values.metrics.annotations (not .Values.metrics.podMonitor) }}
annotations:
  prometheus.io/scrape: "true"
  prometheus.io/port: {{ .Values.metrics.port | quote }}
  prometheus.io/path: /metrics
{{- end }}
{{- end }}

{{- define "tenure.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "tenure.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ include "tenure.selector" . | nindent 8 }}
{{- end }}

{{- /* Said in each pod, and not in a ConfigMap: a change starts new pods, and the Job before an
install finds it there. */ -}}
{{- define "tenure.env" -}}
- {name: PGHOST, value: {{ .Values.database.host | quote }}}
- {name: PGPORT, value: {{ .Values.database.port | toString | quote }}}
- {name: PGDATABASE, value: {{ .Values.database.name | quote }}}
- {name: PGTARGETSESSIONATTRS, value: read-write}
- {name: PGCONNECT_TIMEOUT, value: "3"}
- {name: PGSSLMODE, value: {{ .Values.database.sslmode }}}
{{- if .Values.database.caConfigMap }}
- {name: PGSSLROOTCERT, value: /etc/tenure/database/ca.pem}
{{- end }}
- {name: TENURE_METRICS_HOST, value: {{ .Values.metrics.host | quote }}}
- {name: TENURE_METRICS_PORT, value: {{ .Values.metrics.port | quote }}}
- {name: TENURE_LOG_FORMAT, value: json}
- {name: TENURE_LEASE, value: {{ .Values.leaseSeconds }}s}
{{- end }}

{{- define "tenure.own-env" -}}
- name: TENURE_NAME
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
{{- end }}

{{- /* Of settings: what is a number stays what was written. */ -}}
{{- define "tenure.more-env" -}}
{{- range $name, $value := . }}
- {name: {{ $name }}, value: {{ $value | toString | quote }}}
{{- end }}
{{- end }}

{{- define "tenure.probes" -}}
ports:
  - {name: metrics, containerPort: {{ .Values.metrics.port }}}
startupProbe:
  httpGet: {path: /healthz, port: metrics}
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 30
livenessProbe:
  httpGet: {path: /healthz, port: metrics}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /readyz, port: metrics}
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 3
{{- end }}

{{- define "tenure.confined" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{- define "tenure.mounts" -}}
- {name: tmp, mountPath: /tmp}
{{- if .Values.database.caConfigMap }}
- {name: database-ca, mountPath: /etc/tenure/database, readOnly: true}
{{- end }}
{{- end }}

{{- define "tenure.volumes" -}}
- name: tmp
  emptyDir: {medium: Memory, sizeLimit: 16Mi}
{{- if .Values.database.caConfigMap }}
- name: database-ca
  configMap: {name: {{ .Values.database.caConfigMap }}}
{{- end }}
{{- end }}
