import type { FastifyInstance } from 'fastify';
import { adminAudit, adminAuditFile, auditLog } from '#contract/app/audit.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { mountFile } from '#server/platform/http/mount-file.ts';
import { exportAuditLog } from './export-audit-log.ts';
import { listAllAuditLogs, listAuditLog } from './list-audit-log.ts';

export function auditRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, auditLog, (query, { organizer }) => listAuditLog(deps, organizer, query));
  mount(app, adminAudit, (query) => listAllAuditLogs(deps, query));
  mountFile(app, adminAuditFile, 'text/csv', (query, { admin }) => exportAuditLog(deps, admin, query));
}
