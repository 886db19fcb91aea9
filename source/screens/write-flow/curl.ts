import type {Call} from '../../service/call.ts';
import {quoteShellWord} from '../../service/curl.ts';
import type {Connection} from '../shell/connection-slice.ts';

export type WriteRequest = Pick<Call, 'method' | 'path'> & {readonly body?: unknown};

/** Returns why requests cannot be copied, given why they cannot be sent. Undefined if they can. */
export const getRequestCopyBlockedReason = (obstacle: string | undefined): string | undefined =>
	obstacle === undefined ? undefined : `it can't be sent now. ${obstacle}`;

/** Formats a request as a `curl` command for a shell; the credential stays in the environment. */
export function formatCurlCommand(
	{method, path, body}: WriteRequest,
	connection: Connection | undefined,
): string {
	// The simulated service has no address of its own: `ledge simulate` prints where it listens.
	const url = connection?.simulated
		? `"$CLOUDFLARE_API_BASE_URL${path}"`
		: quoteShellWord(`${connection?.address.value ?? ''}${path}`);
	const headers =
		connection?.credential?.kind === 'key'
			? ['"X-Auth-Email: $CLOUDFLARE_EMAIL"', '"X-Auth-Key: $CLOUDFLARE_API_KEY"']
			: ['"Authorization: Bearer $CLOUDFLARE_API_TOKEN"'];
	return [
		`curl -sS -X ${method}`,
		...headers.map(header => `-H ${header}`),
		...(body === undefined
			? []
			: ["-H 'Content-Type: application/json'", `--data-binary ${quoteShellWord(JSON.stringify(body))}`]),
		url,
	].join(' ');
}
