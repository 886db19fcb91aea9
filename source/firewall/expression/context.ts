import type {Phase} from './vocabulary/phases.ts';
import type {Plan} from './vocabulary/plan.ts';

/** A list of the account, which expressions use as `$name`. */
export type KnownList = {readonly name: string; readonly kind: string; readonly description?: string};

/** Where an expression is used, which determines how it is checked. */
export type ExpressionContext = {
	/** The plan of the zone. If undefined, plans are not checked. */
	readonly plan?: Plan | undefined;
	/** The phase of its rules; custom rules (and firewall rules) by default. */
	readonly phase?: Phase | undefined;
	/**
	 * Reports what is unknown, or not available in the phase or on the plan, as warnings instead of errors: the
	 * service may be newer than the tables.
	 */
	readonly allowUnknown?: boolean | undefined;
	/** The lists of the account. If undefined, names of lists are not checked. */
	readonly lists?: readonly KnownList[] | undefined;
	/** True if it is part of a migration, which limits its size in bytes. */
	readonly isMigrated?: true;
	/** True if the rule lets requests through (skip, bypass, allow), so that matching too much is a risk. */
	readonly letsThrough?: boolean | undefined;
};
