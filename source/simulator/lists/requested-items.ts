import {formatIpAddress, parseIpAddress, parseNetwork} from '../../firewall/expression/expressions.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {refuseRequest} from '../http/answer.ts';
import {listNetworkBits} from './limits.ts';
import type {ListItemKind} from './stored-lists.ts';

/** Refuses a request because of its body. The code is the one seen for a body that cannot be read. */
export const refuseListBody = (message: string): never => refuseRequest(400, {code: 10026, message});

/** Reads the items to add to a list of a kind; values as they are stored. */
export function readRequestedItems(body: JsonValue | undefined, kind: ListItemKind): readonly JsonObject[] {
	if (!Array.isArray(body) || body.length === 0) return refuseListBody('filters.api.invalid_json');
	return body.map((item: JsonValue) => {
		if (!isJsonObject(item)) return refuseListBody('filters.api.invalid_json');
		const {comment} = item;
		if (comment !== undefined && typeof comment !== 'string')
			return refuseListBody('comment must be a string');
		return {[kind]: readValue(item, kind), ...(comment !== undefined && {comment})};
	});
}

/** Reads the ids of the items to delete. */
export function readRequestedIds(body: JsonValue | undefined): readonly string[] {
	const items = isJsonObject(body) ? body.items : undefined;
	if (!Array.isArray(items) || items.length === 0) return refuseListBody('filters.api.invalid_json');
	return items.map((item: JsonValue) =>
		isJsonObject(item) && typeof item.id === 'string' ? item.id : refuseListBody('id must be a string'),
	);
}

function readValue(item: JsonObject, kind: ListItemKind): JsonValue {
	const value = item[kind];
	switch (kind) {
		case 'ip':
			return normalizeAddress(value);
		case 'asn':
			return Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 32
				? Number(value)
				: refuseListBody(`invalid ASN: ${JSON.stringify(value)}`);
		case 'hostname':
			return isJsonObject(value) && /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(String(value.url_hostname))
				? value
				: refuseListBody(`invalid hostname: ${JSON.stringify(value)}`);
		case 'redirect':
			return isJsonObject(value) && URL.canParse(String(value.target_url)) && value.source_url
				? value
				: refuseListBody(`invalid redirect: ${JSON.stringify(value)}`);
	}
}

/** Returns an address as it is stored: lower case, without the prefix of a single address. */
function normalizeAddress(value: JsonValue | undefined): string {
	const text = typeof value === 'string' ? value : refuseListBody(`invalid IP: ${JSON.stringify(value)}`);
	const refuse = () => refuseListBody(`invalid IP: ${text}`);
	if (!text.includes('/')) {
		const address = parseIpAddress(text);
		return address.ok ? formatIpAddress(address) : refuse();
	}
	const network = parseNetwork(text);
	if (!network.ok) return refuse();
	const {min, max} = listNetworkBits[network.version];
	if (network.bits < min) return refuse();
	return network.bits === max ? formatIpAddress(network) : `${formatIpAddress(network)}/${network.bits}`;
}
