{{- define "packwright.labels" -}}
app.kubernetes.io/name: packwright
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .process }}
{{- end }}

{{- /* The variables of a process. */ -}}
{{- define "packwright.environment" -}}
{{- $root := .root -}}
{{- $known := $root.Files.Get "environment.yaml" | fromYaml -}}
{{- $fixed := dict "PACKWRIGHT_VAR" "/data" "PACKWRIGHT_SANDBOX_NETWORK" "false" "PACKWRIGHT_HTTPS" "true" -}}
{{- $_ := set $fixed "PACKWRIGHT_ORIGINS" (printf "https://%s" $root.Values.host) -}}
{{- /* Prometheus asks pods by their addresses. */ -}}
{{- $_ := set $fixed "PACKWRIGHT_HOSTS" (printf "%s,$(POD_IP)" $root.Values.host) -}}
- name: POD_IP
  valueFrom: {fieldRef: {fieldPath: status.podIP}}
{{- range $group := get $known.processes .process }}
{{- range $name := get $known.groups $group }}
- name: {{ $name }}
{{- if has $name $known.secret }}
  valueFrom:
    secretKeyRef:
      name: {{ $root.Values.secret }}
      key: {{ $name }}
      optional: {{ not (has $name $known.required) }}
{{- else if and (hasKey $fixed $name) (not (hasKey $root.Values.settings $name)) }}
  value: {{ get $fixed $name | quote }}
{{- else }}
  valueFrom:
    configMapKeyRef:
      name: {{ $root.Release.Name }}-settings
      key: {{ $name }}
      optional: true
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "packwright.container" -}}
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
env:
  {{- include "packwright.environment" . | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  # Workspaces of programs lie below /tmp of the worker.
  readOnlyRootFilesystem: {{ ne .process "worker" }}
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: files, mountPath: /data}
  - {name: temporary, mountPath: /tmp}
{{- end }}

{{- define "packwright.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .root.Values.user }}
  runAsGroup: {{ .root.Values.user }}
  fsGroup: {{ .root.Values.user }}
  seccompProfile: {type: RuntimeDefault}
volumes:
  - name: temporary
    emptyDir: {}
  - name: files
    {{- if .root.Values.files.volume }}
    persistentVolumeClaim:
      claimName: {{ .root.Values.files.existingClaim | default (printf "%s-files" .root.Release.Name) }}
    {{- else }}
    emptyDir: {}
    {{- end }}
{{- end }}

{{- /* Waits until the Job of this release has brought the tables up to date. */ -}}
{{- define "packwright.waits" -}}
initContainers:
  - name: wait
    {{- include "packwright.container" . | nindent 4 }}
    command: [sh, -c, "until python manage.py migrate --check >/dev/null 2>&1; do sleep 3; done"]
    resources: {{ toYaml .root.Values.prepare.resources | nindent 6 }}
{{- end }}

{{- /* Pods begin anew when settings change. */ -}}
{{- define "packwright.annotations" -}}
checksum/settings: {{ toYaml .root.Values.settings | sha256sum }}
{{- end }}
