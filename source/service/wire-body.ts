import type {JsonValue} from '../text/json.ts';
import type {Call} from './call.ts';
import {encodeJsonList} from './json-list.ts';
import {buildValueForm} from './multipart.ts';

/** Builds the body of a call as it is sent, and its `Content-Type`. */
export function buildWireBody(call: Call): {body?: Uint8Array | string; headers: Record<string, string>} {
	const {body} = call;
	switch (body?.kind) {
		case undefined:
			return {headers: {}};
		case 'json':
			return {body: JSON.stringify(body.value as JsonValue), headers: {'Content-Type': 'application/json'}};
		case 'list':
			return {body: encodeJsonList(body.items), headers: {'Content-Type': 'application/json'}};
		case 'bytes':
			return {body: body.bytes, headers: {'Content-Type': 'application/octet-stream'}};
		case 'value': {
			const form = buildValueForm(body.bytes, body.metadata);
			return {body: form.body, headers: {'Content-Type': form.type}};
		}
	}
}
