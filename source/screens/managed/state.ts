import type {Failure} from '../../failure.ts';
import type {InForce, ManagedZone} from '../../managed/in-force.ts';
import {type Proposal, requestOf} from '../../managed/proposal.ts';
import {type ManagedView, viewOf} from '../../managed/view.ts';
import type {Configuration} from '../../migration/configuration/configuration.ts';
import type {MadeEdit} from '../../migration/configuration/rebase.ts';
import type {Rise} from '../../migration/validation/rise.ts';
import type {OpenedZone} from '../firewall/state.ts';
import type {Reading} from '../list/reading.ts';
import type {UnfinishedException} from '../managed-edit/unfinished-exception.ts';
import type {LastChange} from '../rulesets/writes.ts';
import type {WriteRequest} from '../write-flow/curl.ts';

/** The managed rules in force of a zone, and what is to be changed of them. */
export type ManagedState = {
	/** Tells one opening from another. */
	readonly id: number;
	readonly zone: OpenedZone;
	/** `stale`: since they were read something was written, and they could not be refreshed. */
	readonly reading: Reading;
	/** Why they could not be read. */
	readonly failure?: Failure | undefined;
	/** That they stop more than the validation before showed. */
	readonly rise?: Rise | undefined;
	readonly inForce: InForce | undefined;
	/** What was changed and not sent, each with what it was made to. */
	readonly edits: readonly MadeEdit[];
	/** The rules that the first edit was made to, where others changed them since. */
	readonly editedFrom?: Configuration | undefined;
	/** What the edits come to. */
	readonly configuration: Configuration;
	/** What they send; `undefined` without edits. */
	readonly proposal: Proposal | undefined;
	/** An exception that a draft restored and that was not continued yet. */
	readonly unfinished?: UnfinishedException | undefined;
	/** Why what was reviewed was not sent, or what changed meanwhile. */
	readonly obstacle?: Failure | undefined;
	readonly step: 'rules' | 'review';
	/** The request of the review as it is, or as a `curl` line. */
	readonly shows: 'requests' | 'curl';
	/** In the rows of the editor. */
	readonly cursor: number;
	/** Rows that the review, or what is below the list, is scrolled down. */
	readonly top: number;
	/** The last change made here. */
	readonly undo?: LastChange | undefined;
};

/** Nothing read, and nothing changed. */
export const beginningOf = (id: number, zone: OpenedZone): ManagedState => ({
	id,
	zone,
	reading: 'unread',
	inForce: undefined,
	edits: [],
	configuration: {name: 'default', rules: []},
	proposal: undefined,
	step: 'rules',
	shows: 'requests',
	cursor: 0,
	top: 0,
});

/** The zone as the managed rules of it are read. */
export const managedZoneOf = ({id, name, plan, label}: OpenedZone): ManagedZone => ({
	id,
	name,
	plan,
	label: label ?? `zone ${name}`,
});

/** Whether anything was changed that leaving would lose. */
export const isManagedTouched = (managed: ManagedState | undefined): boolean =>
	managed !== undefined && managed.edits.length > 0;

/** The request that the review shows; none if nothing differs. */
export function requestsOf({inForce, proposal}: ManagedState): readonly WriteRequest[] {
	const request = inForce && proposal && requestOf(inForce, proposal);
	return request ? [request] : [];
}

const available = new WeakMap<ManagedState, ManagedView['notDeployed']>();

/** The managed rulesets that the zone can execute, and does not after the changes. Worked out once for each state. */
export function notDeployed(managed: ManagedState): ManagedView['notDeployed'] {
	const {inForce, configuration} = managed;
	if (!inForce) return [];
	const known = available.get(managed);
	if (known) return known;
	const found = viewOf({...inForce, configuration}).notDeployed;
	available.set(managed, found);
	return found;
}
