import type {JsonObject} from '../../text/json.ts';
import type {ResourceOwner, Resources} from '../world/resources.ts';

/** What the service calls the stages of a zone. */
export type ServiceStage = 'start' | 'validation' | 'pending' | 'complete';

/** How far a zone is, as it is kept: `pending` becomes `complete` by itself when its time has come. */
export type StageRecord = {
	readonly state: Exclude<ServiceStage, 'complete'>;
	/** Milliseconds since the epoch. */
	readonly since: number;
	/** When the migration of a pending zone is done. */
	readonly until?: number;
	/** What it was before the last change. */
	readonly before?: ServiceStage;
};

const kind = 'waf-migration';

export const readStage = ({resources}: ResourceOwner, zone: string): StageRecord | undefined =>
	resources.get(kind, zone, 'state') as StageRecord | undefined;

export function setStage(resources: Resources, zone: string, record: StageRecord): void {
	resources.set(kind, zone, 'state', record as JsonObject);
}

export function stageAt(record: StageRecord | undefined, now: number): ServiceStage {
	if (record?.state === 'pending' && record.until !== undefined && now >= record.until) return 'complete';
	return record?.state ?? 'start';
}
