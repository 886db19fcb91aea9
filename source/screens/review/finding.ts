import {alarmsOf} from '../../kv/change/alarms.ts';
import {expiryText} from '../../kv/change/lifetime-input.ts';
import {
	type Checked,
	expiryQuestion,
	lifetimeToWrite,
	type Proposal,
	type PutProposal,
} from '../../kv/change/proposal.ts';
import {type Part, rebase} from '../../kv/change/rebase.ts';
import {isSameMetadata, type WholeKey} from '../../kv/change/whole-key.ts';
import {counted, grouped} from '../../text/figures.ts';
import {type JsonPlace, mergeJson} from '../../text/json/merge.ts';
import {largestJson} from '../../text/json/tree-nodes.ts';
import type {Steps} from '../../text/steps.ts';
import {pathText} from '../key/tree.ts';
import {type Difference, differenceOf} from './difference.ts';

/** Whether the change merges with what others wrote. */
type MergeOffer =
	| {readonly type: 'possible'; readonly proposal: PutProposal; readonly label: string}
	| {readonly type: 'impossible'; readonly why: string};

/** The result of a check, prepared for the review. */
export type Finding = {
	readonly checked: Checked;
	readonly difference: Difference;
	/** Only if others changed the key. */
	readonly merge: MergeOffer | undefined;
	/** Likely mistakes in the proposal, from `listWriteWarnings`. */
	readonly alarms: readonly string[];
};

/** Computes everything needed to decide on a change. */
export function* findingOf(proposal: Proposal, checked: Checked): Steps<Finding> {
	const {stored} = checked;
	const base = checked.type === 'unchanged' ? undefined : proposal.base;
	const isForeign = checked.type === 'changed' || checked.type === 'appeared';
	const difference = yield* differenceOf({base, stored, mine: proposal.mine});
	const merge = isForeign && proposal.kind === 'put' ? yield* mergeOf(proposal, checked.stored) : undefined;
	const alarms = yield* alarmsOf(proposal, stored);
	return {checked, difference, merge, alarms};
}

const textOf = ({buffer, byteOffset, byteLength}: Uint8Array): string =>
	Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

function* mergeOf(proposal: PutProposal, stored: WholeKey): Steps<MergeOffer> {
	const plain = rebase(proposal, stored);
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
		if (bytes.length > largestJson) return {type: 'impossible', why: both};
		yield;
		texts.push(textOf(bytes));
	}
	yield;
	const [first = '', theirs = '', ours = ''] = texts;
	const merged = yield* mergeJson(first, theirs, ours);
	switch (merged.kind) {
		case 'not json':
			return {type: 'impossible', why: both};
		case 'conflict':
			return {type: 'impossible', why: `Both changed ${placesText(merged.places)}.`};
		case 'merged': {
			const combined = rebase(proposal, stored, Buffer.from(merged.text));
			if (combined.type === 'conflict') return {type: 'impossible', why: both};
			const label = `Merge: keep the stored ${placesText(merged.taken)}, write your ${placesText(merged.kept)}`;
			return {type: 'possible', proposal: combined.proposal, label};
		}
		default:
			return merged satisfies never;
	}
}

const partNames: Readonly<Record<Part, string>> = {value: 'value', metadata: 'metadata', expiry: 'expiry'};

/** Formats the first three paths and the number of others. */
function placesText(places: readonly JsonPlace[]): string {
	const names = places.slice(0, 3).map(({nodes, node}) => {
		const path = nodes.path(node);
		return path.length === 0 ? 'whole value' : pathText(path).replace(/^\$\.?/, '');
	});
	return `${names.join(', ')}${places.length > names.length ? ` and ${places.length - names.length} more` : ''}`;
}

/** Lists what happens to the key besides its value: expiry, metadata, bytes. `now` in UNIX seconds. */
export function consequences(
	proposal: Proposal,
	stored: WholeKey | undefined,
	now: number,
): readonly string[] {
	const before = stored?.expiration;
	if (proposal.kind === 'delete') {
		return stored
			? [
					before === undefined ? 'no expiry' : `expiry ${expiryText(before, now)}`,
					metadataText(stored.metadata),
					counted(stored.bytes.length, 'byte'),
				]
			: [];
	}
	const {ttl, expiration} = lifetimeToWrite(proposal, stored);
	const after = ttl === undefined ? expiration : now + ttl;
	const {metadata, bytes} = proposal.mine;
	const stays = stored !== undefined && isSameMetadata(stored.metadata, metadata);
	const isAsked = expiryQuestion(proposal, now, stored) !== undefined;
	return [
		...(isAsked ? [] : [expirySentence(before, after, stored !== undefined, now)]),
		stays || !stored
			? metadataText(metadata, stays)
			: `metadata ${jsonText(stored.metadata)} becomes ${jsonText(metadata)}`,
		stored && stored.bytes.length !== bytes.length
			? `${grouped(stored.bytes.length)} → ${counted(bytes.length, 'byte')}`
			: counted(bytes.length, 'byte'),
	];
}

function expirySentence(
	before: number | undefined,
	after: number | undefined,
	isThere: boolean,
	now: number,
): string {
	if (before === after) return after === undefined ? 'no expiry' : `expiry stays ${expiryText(after, now)}`;
	const becomes = after === undefined ? 'none' : expiryText(after, now);
	if (!isThere) return `expiry ${becomes}`;
	return `expiry ${before === undefined ? 'none' : expiryText(before, now)} becomes ${becomes}`;
}

const jsonText = (metadata: WholeKey['metadata']): string =>
	metadata === null ? 'none' : JSON.stringify(metadata);

const metadataText = (metadata: WholeKey['metadata'], stays = false): string =>
	metadata === null ? 'no metadata' : `metadata ${stays ? 'stays ' : ''}${JSON.stringify(metadata)}`;
