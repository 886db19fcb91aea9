import type {JsonObject} from '../../text/json.ts';
import type {ResourceOwner, Resources} from '../world/resources.ts';

/** The stages of a migration, as the service names them. */
export type ServiceStage = 'start' | 'validation' | 'pending' | 'complete';

/** The stored stage of a zone; `pending` becomes `complete` at `until`. */
export type StageRecord = {
	readonly state: Exclude<ServiceStage, 'complete'>;
	/** Milliseconds since the epoch. */
	readonly since: number;
	/** When the migration of a pending zone completes, in milliseconds since the epoch. */
	readonly until?: number;
	/** The stage before the last change. */
	readonly before?: ServiceStage;
};

const stageKind = 'waf-migration';

export const readStageRecord = ({resources}: ResourceOwner, zoneId: string): StageRecord | undefined =>
	resources.get(stageKind, zoneId, 'state') as StageRecord | undefined;

export function setStageRecord(resources: Resources, zoneId: string, record: StageRecord): void {
	resources.set(stageKind, zoneId, 'state', record as JsonObject);
}

/** Returns the stage at `now`, in milliseconds; `start` without a record. */
export function getServiceStage(record: StageRecord | undefined, now: number): ServiceStage {
	if (record?.state === 'pending' && record.until !== undefined && now >= record.until) return 'complete';
	return record?.state ?? 'start';
}
