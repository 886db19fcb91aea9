import type {Snapshot} from '../../../source/migration/zone/snapshot.ts';
import type {ClientOptions} from '../../../source/service/client.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {buildEnvelope, buildErrorResponse, neverAbortedSignal} from '../../service/scripted-transport.ts';
import {buildBareSnapshot} from '../../support/snapshot.ts';
import {createZoneClient, respondInPages, type ZoneResponses, zone} from './answers.ts';

export const wafOverridesPath = '/firewall/waf/overrides';
export const checkoutOverride: JsonObject = {
	id: 'a1',
	urls: ['shop.example/checkout*'],
	rules: {100015: 'disable'},
	rewrite_action: {block: 'challenge'},
	priority: 5,
	paused: false,
	description: 'checkout',
	newer: {field: true},
};
export const adminOverride: JsonObject = {id: 'b2', urls: ['shop.example/admin*'], groups: {g: 'block'}};

export const createOverridesBackup = (...held: readonly JsonObject[]): Snapshot =>
	buildBareSnapshot({place: 'https://service.test', zone, overrides: held});

export const throwConnectionReset = (): never => {
	throw new TypeError('fetch failed', {cause: Object.assign(new Error('reset'), {code: 'ECONNRESET'})});
};

/** A zone with these overrides; `writeOutcome` may lose responses to writes, before or after the effect. */
export function createZoneWithOverrides(
	held: readonly JsonObject[],
	{
		writeOutcome = 'answered',
		stage = 'start',
		options = {},
	}: {
		writeOutcome?: 'answered' | 'lost after' | 'lost before' | 'refused';
		stage?: string;
		options?: Partial<ClientOptions>;
	} = {},
) {
	let currentOverrides = [...held];
	let createdCount = 0;
	const deleteResponses = new Map<string, () => Response>();
	const applyWrite = (change: () => object): Response => {
		if (writeOutcome === 'refused') return buildErrorResponse(400, [{message: 'no more overrides'}]);
		if (writeOutcome === 'lost before') throwConnectionReset();
		const result = change();
		return writeOutcome === 'lost after' ? throwConnectionReset() : buildEnvelope(result);
	};
	const routes: ZoneResponses = {
		'GET /waf_migration/check': {compatible: false},
		'GET /waf_migration/status': {migration_state: stage},
		[`GET ${wafOverridesPath}`]: (request, query) => respondInPages(currentOverrides)(request, query),
		[`POST ${wafOverridesPath}`]: ({body}) =>
			applyWrite(() => {
				// Fills in what was not given, as the service does.
				const created = {
					priority: 0,
					description: '',
					paused: false,
					...JSON.parse(String(body)),
					id: `new${++createdCount}`,
				};
				currentOverrides.push(created);
				return created;
			}),
	};
	const routesById: ZoneResponses = Object.fromEntries(
		held.flatMap(({id}): [string, ZoneResponses[string]][] => [
			[
				`GET ${wafOverridesPath}/${id}`,
				() => {
					const found = currentOverrides.find(override => override.id === id);
					return found
						? buildEnvelope(found)
						: buildErrorResponse(404, [{code: 1005, message: 'no such override'}]);
				},
			],
			[
				`DELETE ${wafOverridesPath}/${id}`,
				() =>
					deleteResponses.get(`DELETE ${String(id)}`)?.() ??
					applyWrite(() => {
						currentOverrides = currentOverrides.filter(override => override.id !== id);
						return {id};
					}),
			],
		]),
	);
	const at = createZoneClient({...routesById, ...routes}, options);
	return {
		...at,
		listOverrides: () => currentOverrides,
		listWrites: () => at.listRequests().filter(asked => !asked.startsWith('GET')),
		/** Replaces the response to this write of an override. */
		answerWith: (method: 'DELETE', id: string, answer: () => Response) =>
			void deleteResponses.set(`${method} ${id}`, answer),
		setOverrides(next: readonly JsonObject[]) {
			currentOverrides = [...next];
		},
	};
}

export const recordWork = () => {
	const messages: string[] = [];
	return {
		said: messages,
		work: {
			signal: neverAbortedSignal,
			onSend: (what: string) => void messages.push(`sends ${what}`),
			onWritten: (what: string) => void messages.push(`wrote ${what}`),
		},
	};
};
