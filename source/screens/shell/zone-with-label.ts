import type {FirewallZone} from '../../firewall/rules/rule.ts';

/** A chosen zone, with its label for sentences and the audit log. */
export type ZoneWithLabel = FirewallZone & {
	readonly label?: string | undefined;
	/** Name of the account; undefined if it could not be read. */
	readonly account?: string | undefined;
	readonly accountId?: string | undefined;
};
