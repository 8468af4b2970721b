# One image for web, worker and beat; docker-compose.yml says which command each runs.
FROM node:22.17.1-bookworm-slim AS frontend
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY static ./static
RUN npm run build

FROM python:3.11.13-slim-bookworm
ENV PYTHONUNBUFFERED=1 PACKWRIGHT_VAR=/data
# Programs of agents run in it (docs/sandboxes.md): git is for workspaces, jq for tools of packs. PACKAGES names more
# Debian packages that those programs shall find, such as nodejs.
ARG PACKAGES=""
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap ca-certificates git jq ${PACKAGES} \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# requirements-s3.lock adds what is needed to keep files in an S3-compatible store, requirements-parquet.lock to read
# tables of Parquet.
ARG LOCK=requirements.lock
COPY requirements.lock requirements-s3.lock requirements-parquet.lock ./
RUN pip install --no-cache-dir --require-hashes -r ${LOCK}
COPY manage.py ./
COPY studio ./studio
COPY packs ./packs
COPY runs ./runs
COPY templates ./templates
COPY static ./static
COPY --from=frontend /app/static/dist ./static/dist
# Nothing can be compiled later, where the file system is not to be written.
RUN python -m compileall -q studio packs runs
RUN useradd --system --create-home packwright \
    && mkdir /data && chown packwright /data \
    && PACKWRIGHT_VAR=/app/collected PACKWRIGHT_SECRET_KEY=build python manage.py collectstatic --no-input --verbosity 0 \
    && chmod -R a+rX /app
ENV PACKWRIGHT_STATIC=/app/collected/static
USER packwright
VOLUME /data
EXPOSE 8000
CMD ["python", "-m", "studio.serving.command", "--host", "0.0.0.0", "--workers", "2"]
