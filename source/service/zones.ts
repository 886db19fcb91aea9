import {isJsonObject} from '../text/json.ts';
import type {Client} from './client.ts';
import {listPagedItems} from './paging.ts';
import {parsePlan, type ZonePlan} from './plan.ts';
import {readResult} from './read-result.ts';
import {createMalformedFailure, readOptionalText, requireText} from './response-fields.ts';

export type Zone = {
	readonly id: string;
	readonly name: string;
	readonly status: string;
	/** The service's name: "Pro Plan", "Enterprise Website". */
	readonly plan: string;
	/** Parsed plan; undefined if unknown. */
	readonly level: ZonePlan | undefined;
	readonly account: {readonly id: string; readonly name: string};
};

/** Lists the zones that the credential can see, all or those of one name, 50 per page. */
export const listZones = (
	client: Client,
	query: {readonly name?: string; readonly account?: string},
	signal: AbortSignal,
): AsyncGenerator<Zone> =>
	listPagedItems(
		client,
		{
			path: '/zones',
			query: {name: query.name, 'account.id': query.account},
			perPage: 50,
			itemNoun: 'a zone',
			read: readZone,
		},
		signal,
	);

/** Reads a zone by id. The service refuses a missing zone and an invisible one alike. */
export async function readZoneById(client: Client, id: string, signal: AbortSignal): Promise<Zone> {
	const result = await readResult(client, {path: `/zones/${encodeURIComponent(id)}`}, signal);
	if (!isJsonObject(result)) throw createMalformedFailure('zone');
	return readZone(result);
}

function readZone(item: Readonly<Record<string, unknown>>): Zone {
	const plan = isJsonObject(item.plan) ? item.plan : {};
	const account = isJsonObject(item.account) ? item.account : {};
	const name = readOptionalText(plan, 'name');
	const legacy = readOptionalText(plan, 'legacy_id');
	return {
		id: requireText(item, 'id', 'a zone'),
		name: requireText(item, 'name', 'a zone'),
		status: readOptionalText(item, 'status') ?? '',
		plan: name ?? legacy ?? '',
		level: parsePlan(name, legacy),
		account: {id: readOptionalText(account, 'id') ?? '', name: readOptionalText(account, 'name') ?? ''},
	};
}
