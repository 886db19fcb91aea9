import type {Snapshot} from '../../../source/migration/zone/snapshot.ts';
import type {ClientOptions} from '../../../source/service/client.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {envelope, never, refused} from '../../service/scripted-transport.ts';
import {bareSnapshot} from '../../support/snapshot.ts';
import {type Answers, answering, paged, zone} from './answers.ts';

export const path = '/firewall/waf/overrides';
export const one: JsonObject = {
	id: 'a1',
	urls: ['shop.example/checkout*'],
	rules: {100015: 'disable'},
	rewrite_action: {block: 'challenge'},
	priority: 5,
	paused: false,
	description: 'checkout',
	newer: {field: true},
};
export const other: JsonObject = {id: 'b2', urls: ['shop.example/admin*'], groups: {g: 'block'}};

export const backupOf = (...held: readonly JsonObject[]): Snapshot =>
	bareSnapshot({place: 'https://service.test', zone, overrides: held});

export const lost = (): never => {
	throw new TypeError('fetch failed', {cause: Object.assign(new Error('reset'), {code: 'ECONNRESET'})});
};

/** A zone that has these overrides; `writes` may lose answers, before or after they take effect. */
export function zoneWith(
	held: readonly JsonObject[],
	{
		writes = 'answered',
		stage = 'start',
		options = {},
	}: {
		writes?: 'answered' | 'lost after' | 'lost before' | 'refused';
		stage?: string;
		options?: Partial<ClientOptions>;
	} = {},
) {
	let now = [...held];
	let made = 0;
	const odd = new Map<string, () => Response>();
	const written = (change: () => object): Response => {
		if (writes === 'refused') return refused(400, [{message: 'no more overrides'}]);
		if (writes === 'lost before') lost();
		const result = change();
		return writes === 'lost after' ? lost() : envelope(result);
	};
	const routes: Answers = {
		'GET /waf_migration/check': {compatible: false},
		'GET /waf_migration/status': {migration_state: stage},
		[`GET ${path}`]: (request, query) => paged(now)(request, query),
		[`POST ${path}`]: ({body}) =>
			written(() => {
				// As a service does that gives what was not said.
				const created = {
					priority: 0,
					description: '',
					paused: false,
					...JSON.parse(String(body)),
					id: `new${++made}`,
				};
				now.push(created);
				return created;
			}),
	};
	const byId: Answers = Object.fromEntries(
		held.flatMap(({id}): [string, Answers[string]][] => [
			[
				`GET ${path}/${id}`,
				() => {
					const found = now.find(override => override.id === id);
					return found ? envelope(found) : refused(404, [{code: 1005, message: 'no such override'}]);
				},
			],
			[
				`DELETE ${path}/${id}`,
				() =>
					odd.get(`DELETE ${String(id)}`)?.() ??
					written(() => {
						now = now.filter(override => override.id !== id);
						return {id};
					}),
			],
		]),
	);
	const at = answering({...byId, ...routes}, options);
	return {
		...at,
		held: () => now,
		writes: () => at.asked().filter(asked => !asked.startsWith('GET')),
		/** What the service answers in place of its own answer to a write of an override. */
		answer: (method: 'DELETE', id: string, answer: () => Response) => void odd.set(`${method} ${id}`, answer),
		set(next: readonly JsonObject[]) {
			now = [...next];
		},
	};
}

export const told = () => {
	const said: string[] = [];
	return {
		said,
		work: {
			signal: never,
			onSend: (what: string) => void said.push(`sends ${what}`),
			onWrite: (what: string) => void said.push(`wrote ${what}`),
		},
	};
};
