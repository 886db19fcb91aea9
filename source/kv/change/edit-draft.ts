import {base64Of, bytesIn, type Draft, keyForm, type NewDraft} from '../../state/drafts.ts';
import {isJsonObject, type JsonValue} from '../../text/json.ts';
import type {LifetimeChoice, Origin} from './proposal.ts';
import type {KeyDigest} from './whole-key.ts';

const origins = ['edit', 'create', 'metadata', 'expiry'] as const satisfies readonly Origin[];

/** An edit that was not saved, as a draft keeps it: enough to go on typing, and to see whether the key changed meanwhile. */
export type UnsavedEdit = Pick<NewDraft, 'target' | 'label' | 'key'> & {
	readonly origin: (typeof origins)[number];
	readonly base: KeyDigest | undefined;
	/** What is in the editor: the value, or the text of the metadata or of the expiry, finished or not. */
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
	const fields = {origin, base: base ?? null, metadata, lifetime, base64: base64Of(content)};
	return {form: keyForm, target, label, key, instance: '', fields};
}

/** The edit that a draft holds, `undefined` if this ledge does not know it. */
export function editOf(draft: Draft): UnsavedEdit | undefined {
	const {form, target, label, key, fields} = draft;
	const {metadata} = fields;
	const origin = origins.find(known => known === fields.origin);
	const base = fields.base === null ? null : readKeyDigest(fields.base);
	const lifetime = readLifetime(fields.lifetime);
	const isKnown = form.kind === keyForm.kind && form.version === keyForm.version;
	if (!isKnown || !origin || base === undefined || lifetime === undefined || metadata === undefined)
		return undefined;
	return {target, label, key, content: bytesIn(draft), origin, base: base ?? undefined, metadata, lifetime};
}

function readKeyDigest(json: JsonValue | undefined): KeyDigest | undefined {
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
