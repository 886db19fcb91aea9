import type {Simulator} from '../create.ts';
import {readBody} from '../http/body.ts';
import {SimulatorError} from '../http/error.ts';
import {formatFault} from './faults.ts';

/** The path of the calls that control a listening simulator; outside the path of the service. */
export const controlPath = '/simulator/';

const maxFaultBytes = 65_536;

/**
 * Handles the control requests of a listening simulator: `PUT /simulator/faults` replaces the faults with
 * those in the body, `DELETE` clears and `GET` shows them; `GET /simulator/calls` returns the log, and in
 * `X-Simulator-Calls` the total number of calls. Requests need `X-Simulator: control`, which a web page
 * cannot send without a CORS preflight.
 */
export async function answerControl(simulator: Simulator, request: Request, path: string): Promise<Response> {
	if (request.headers.get('x-simulator') !== 'control')
		return createTextResponse(403, 'X-Simulator: control is missing.');
	const call = `${request.method} ${path}`;
	switch (call) {
		case 'PUT /simulator/faults':
			return replaceFaults(simulator, await readBody(request, maxFaultBytes));
		case 'DELETE /simulator/faults':
			simulator.faults.clear();
			return createTextResponse(200, '');
		case 'GET /simulator/faults':
			return createTextResponse(200, simulator.faults.list().map(formatFault).join('\n'));
		case 'GET /simulator/calls':
			return Response.json(simulator.calls.list(), {
				headers: {'x-simulator-calls': String(simulator.calls.count)},
			});
		default:
			return createTextResponse(404, `There is no ${call}.`);
	}
}

function replaceFaults(simulator: Simulator, body: Uint8Array | undefined): Response {
	if (!body) return createTextResponse(413, `More than ${maxFaultBytes} bytes of faults.`);
	try {
		simulator.faults.replace(new TextDecoder().decode(body));
	} catch (error) {
		if (!(error instanceof SimulatorError)) throw error;
		const {message, details} = error;
		return createTextResponse(400, [message, details.why, details.next].filter(Boolean).join('\n'));
	}
	return createTextResponse(200, simulator.faults.list().map(formatFault).join('\n'));
}

const createTextResponse = (status: number, body: string): Response => new Response(`${body}\n`, {status});
