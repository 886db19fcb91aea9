import type {ZonePlan} from '../../service/plan.ts';

/** A zone to migrate. */
export type MigrationZone = {
	readonly id: string;
	readonly name: string;
	readonly plan: ZonePlan | undefined;
	/** "Acme › zone acme.example". */
	readonly label: string;
	/** Name of the account, if it could be read. Names can change, ids cannot. */
	readonly account: string | undefined;
	readonly accountId?: string | undefined;
};
