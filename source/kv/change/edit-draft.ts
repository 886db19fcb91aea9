import type {Draft, NewDraft} from '../../config/drafts.ts';
import {isJsonObject, type JsonValue} from '../../json.ts';
import type {LifetimeChoice, Origin} from './proposal.ts';
import type {Imprint} from './whole-key.ts';

const origins = ['edit', 'create', 'metadata', 'expiry'] as const satisfies readonly Origin[];

/** An edit that was not saved, as a draft keeps it: enough to go on typing, and to see whether the key changed meanwhile. */
export type UnsavedEdit = Pick<NewDraft, 'target' | 'label' | 'key'> & {
	readonly origin: (typeof origins)[number];
	readonly base: Imprint | undefined;
	/** What stands in the editor: the value, or the text of the metadata or of the expiry, finished or not. */
	readonly content: Uint8Array;
	/** What else is to be written, as far as it was chosen before. */
	readonly metadata: JsonValue;
	readonly lifetime: LifetimeChoice;
};

export function draftOf({
	target,
	label,
	key,
	content,
	origin,
	base,
	metadata,
	lifetime,
}: UnsavedEdit): NewDraft {
	return {target, label, key, content, edit: {origin, base: base ?? null, metadata, lifetime}};
}

/** The edit that a draft holds, `undefined` if it is not one that this ledge knows. */
export function editOf({target, label, key, content, edit}: Draft): UnsavedEdit | undefined {
	const origin = origins.find(known => known === edit.origin);
	const base = edit.base === null ? null : readImprint(edit.base);
	const lifetime = readLifetime(edit.lifetime);
	if (!origin || base === undefined || lifetime === undefined || edit.metadata === undefined)
		return undefined;
	return {target, label, key, content, origin, base: base ?? undefined, metadata: edit.metadata, lifetime};
}

function readImprint(json: JsonValue | undefined): Imprint | undefined {
	if (!isJsonObject(json) || typeof json.digest !== 'string' || json.metadata === undefined) return undefined;
	const {digest, metadata, expiration, expirationWithin} = json;
	return {
		digest,
		metadata,
		...(typeof expiration === 'number' && {expiration}),
		...(typeof expirationWithin === 'number' && {expirationWithin}),
	};
}

function readLifetime(json: JsonValue | undefined): LifetimeChoice | undefined {
	if (json === 'keep' || json === 'never') return json;
	if (!isJsonObject(json)) return undefined;
	const {ttl, expiration} = json;
	if (typeof ttl === 'number') return {ttl};
	return typeof expiration === 'number' ? {expiration} : undefined;
}
