import type {Plan} from '../../service/plan.ts';

/** A zone whose migration this is. */
export type MigrationZone = {
	readonly id: string;
	readonly name: string;
	readonly plan: Plan | undefined;
	/** "Acme › zone acme.example". */
	readonly label: string;
	/** Name of the account, as far as it could be read; it can change, and its id cannot. */
	readonly account: string | undefined;
	readonly accountId?: string | undefined;
};
