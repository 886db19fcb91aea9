import {listWriteWarnings} from '../../kv/change/alarms.ts';
import {formatExpiry} from '../../kv/change/lifetime-input.ts';
import {
	type CheckedProposal,
	findExpiryQuestion,
	getLifetimeToWrite,
	type Proposal,
	type PutProposal,
} from '../../kv/change/proposal.ts';
import {type KeyPart, rebaseProposal} from '../../kv/change/rebase.ts';
import {isSameMetadata, type WholeKey} from '../../kv/change/whole-key.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {type JsonPlace, mergeJson} from '../../text/json/merge.ts';
import {maxJsonSize} from '../../text/json/tree-nodes.ts';
import type {Steps} from '../../text/steps.ts';
import {formatJsonPath} from '../key/tree.ts';
import {computeDifference, type Difference} from './difference.ts';

/** Whether the change merges with what others wrote. */
type MergeOffer =
	| {readonly type: 'possible'; readonly proposal: PutProposal; readonly label: string}
	| {readonly type: 'impossible'; readonly why: string};

/** The result of a check, prepared for the review. */
export type Finding = {
	readonly checked: CheckedProposal;
	readonly difference: Difference;
	/** Only if others changed the key. */
	readonly merge: MergeOffer | undefined;
	/** Likely mistakes in the proposal, from `listWriteWarnings`. */
	readonly warnings: readonly string[];
};

/** Computes everything needed to decide on a change. */
export function* computeFinding(proposal: Proposal, checked: CheckedProposal): Steps<Finding> {
	const {stored} = checked;
	const base = checked.type === 'unchanged' ? undefined : proposal.base;
	const isForeign = checked.type === 'changed' || checked.type === 'appeared';
	const difference = yield* computeDifference({base, stored, mine: proposal.mine});
	const merge =
		isForeign && proposal.kind === 'put' ? yield* computeMergeOffer(proposal, checked.stored) : undefined;
	const warnings = yield* listWriteWarnings(proposal, stored);
	return {checked, difference, merge, warnings};
}

const decodeUtf8 = ({buffer, byteOffset, byteLength}: Uint8Array): string =>
	Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

function* computeMergeOffer(proposal: PutProposal, stored: WholeKey): Steps<MergeOffer> {
	const plain = rebaseProposal(proposal, stored);
	if (plain.type === 'rebased') {
		const {theirs} = plain;
		const label = `Merge: keep the stored ${theirs.map(part => partNames[part]).join(' and ')}, write yours`;
		return {type: 'possible', proposal: plain.proposal, label};
	}
	const {parts} = plain;
	const both = `Both changed the ${parts.map(part => partNames[part]).join(' and the ')}.`;
	const {base, mine} = proposal;
	if (parts.some(part => part !== 'value') || !base || !('bytes' in base))
		return {type: 'impossible', why: both};
	const texts: string[] = [];
	for (const {bytes} of [base, stored, mine]) {
		if (bytes.length > maxJsonSize) return {type: 'impossible', why: both};
		yield;
		texts.push(decodeUtf8(bytes));
	}
	yield;
	const [first = '', theirs = '', ours = ''] = texts;
	const merged = yield* mergeJson(first, theirs, ours);
	switch (merged.kind) {
		case 'not json':
			return {type: 'impossible', why: both};
		case 'conflict':
			return {type: 'impossible', why: `Both changed ${formatPlaces(merged.places)}.`};
		case 'merged': {
			const combined = rebaseProposal(proposal, stored, Buffer.from(merged.text));
			if (combined.type === 'conflict') return {type: 'impossible', why: both};
			const label = `Merge: keep the stored ${formatPlaces(merged.taken)}, write your ${formatPlaces(merged.kept)}`;
			return {type: 'possible', proposal: combined.proposal, label};
		}
		default:
			return merged satisfies never;
	}
}

const partNames: Readonly<Record<KeyPart, string>> = {value: 'value', metadata: 'metadata', expiry: 'expiry'};

/** Formats the first three paths and the number of others. */
function formatPlaces(places: readonly JsonPlace[]): string {
	const names = places.slice(0, 3).map(({nodes, node}) => {
		const path = nodes.path(node);
		return path.length === 0 ? 'whole value' : formatJsonPath(path).replace(/^\$\.?/, '');
	});
	return `${names.join(', ')}${places.length > names.length ? ` and ${places.length - names.length} more` : ''}`;
}

/** Lists what happens to the key besides its value: expiry, metadata, bytes. `now` in UNIX seconds. */
export function listConsequences(
	proposal: Proposal,
	stored: WholeKey | undefined,
	now: number,
): readonly string[] {
	const before = stored?.expiration;
	if (proposal.kind === 'delete') {
		return stored
			? [
					before === undefined ? 'no expiry' : `expiry ${formatExpiry(before, now)}`,
					formatMetadataState(stored.metadata),
					formatQuantity(stored.bytes.length, 'byte'),
				]
			: [];
	}
	const {ttl, expiration} = getLifetimeToWrite(proposal, stored);
	const after = ttl === undefined ? expiration : now + ttl;
	const {metadata, bytes} = proposal.mine;
	const stays = stored !== undefined && isSameMetadata(stored.metadata, metadata);
	const isExpiryAsked = findExpiryQuestion(proposal, now, stored) !== undefined;
	return [
		...(isExpiryAsked ? [] : [formatExpiryChange(before, after, stored !== undefined, now)]),
		stays || !stored
			? formatMetadataState(metadata, stays)
			: `metadata ${formatJson(stored.metadata)} becomes ${formatJson(metadata)}`,
		stored && stored.bytes.length !== bytes.length
			? `${formatInteger(stored.bytes.length)} → ${formatQuantity(bytes.length, 'byte')}`
			: formatQuantity(bytes.length, 'byte'),
	];
}

function formatExpiryChange(
	before: number | undefined,
	after: number | undefined,
	exists: boolean,
	now: number,
): string {
	if (before === after) return after === undefined ? 'no expiry' : `expiry stays ${formatExpiry(after, now)}`;
	const becomes = after === undefined ? 'none' : formatExpiry(after, now);
	if (!exists) return `expiry ${becomes}`;
	return `expiry ${before === undefined ? 'none' : formatExpiry(before, now)} becomes ${becomes}`;
}

const formatJson = (metadata: WholeKey['metadata']): string =>
	metadata === null ? 'none' : JSON.stringify(metadata);

const formatMetadataState = (metadata: WholeKey['metadata'], stays = false): string =>
	metadata === null ? 'no metadata' : `metadata ${stays ? 'stays ' : ''}${JSON.stringify(metadata)}`;
