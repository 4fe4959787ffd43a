# One image for every role: docker run IMAGE run, or controller, fetcher, indexer, serve. It runs as nobody with a read-only root;
# freshet run writes only to the volume /data.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOME=/tmp
WORKDIR /app
COPY --from=build --chown=root:root /src/package.json ./
COPY --from=build --chown=root:root /src/node_modules ./node_modules
COPY --from=build --chown=root:root /src/bin ./bin
COPY --from=build --chown=root:root /src/dist ./dist
COPY --from=build --chown=root:root /src/web ./web
RUN mkdir /data && chown 65534:65534 /data
VOLUME /data
WORKDIR /data
USER 65534:65534
EXPOSE 4040
ENTRYPOINT ["node", "/app/bin/freshet.js"]
CMD ["run", "--host", "0.0.0.0"]
