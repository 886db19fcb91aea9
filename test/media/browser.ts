import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import type {Readable, Writable} from 'node:stream';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** The path of Chromium, or of a browser made from it; undefined where none is installed. */
export const findBrowser = (): string | undefined =>
	(process.env.PATH ?? '')
		.split(delimiter)
		.flatMap(folder => names.map(name => join(folder, name)))
		.find(path => existsSync(path));

type Answer = {
	readonly id?: number;
	readonly method?: string;
	readonly sessionId?: string;
	readonly result?: Readonly<Record<string, unknown>>;
	readonly error?: {readonly message: string};
};

/** How long the browser may take to answer, in milliseconds. */
const patience = 60_000;

/** Chromium without a window, spoken to through a pipe. */
export class Browser {
	readonly #write: Writable;
	readonly #stop: () => Promise<void>;
	readonly #waiting = new Map<number | string, (answer: Answer) => void>();
	#sent = 0;
	#session: string | undefined;

	private constructor(write: Writable, read: Readable, stop: () => Promise<void>) {
		this.#write = write;
		this.#stop = stop;
		let rest = '';
		read.setEncoding('utf8').on('data', (piece: string) => {
			const parts = (rest + piece).split('\0');
			rest = parts.pop() ?? '';
			for (const part of parts) {
				const answer: Answer = JSON.parse(part);
				const name = answer.id ?? answer.method ?? '';
				this.#waiting.get(name)?.(answer);
				this.#waiting.delete(name);
			}
		});
	}

	/** Starts it with a new profile, perhaps for a reader who prefers reduced motion, and opens an empty page. */
	static async start(path: string, {reducedMotion = false} = {}): Promise<Browser> {
		const profile = mkdtempSync(join(tmpdir(), 'ledge-browser-'));
		const isRoot = process.getuid?.() === 0;
		const child = spawn(
			path,
			[
				'--headless',
				'--remote-debugging-pipe',
				`--user-data-dir=${profile}`,
				'--allow-file-access-from-files',
				'--disable-gpu',
				'--font-render-hinting=none',
				'--disable-lcd-text',
				'--force-color-profile=srgb',
				'--hide-scrollbars',
				'--no-first-run',
				...(reducedMotion ? ['--force-prefers-reduced-motion'] : []),
				// Its sandbox refuses to work for root; what it shows are files of this checkout.
				...(isRoot ? ['--no-sandbox'] : []),
			],
			{stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']},
		);
		const ended = new Promise<void>(done => child.once('close', () => done()));
		const stop = async () => {
			child.kill('SIGKILL');
			await ended;
			rmSync(profile, {recursive: true, force: true, maxRetries: 10, retryDelay: 200});
		};
		const browser = new Browser(child.stdio[3] as Writable, child.stdio[4] as Readable, stop);
		try {
			const {targetId} = await browser.#call('Target.createTarget', {url: 'about:blank'});
			const attached = await browser.#call('Target.attachToTarget', {targetId, flatten: true});
			browser.#session = String(attached.sessionId);
			await browser.#call('Page.enable');
			return browser;
		} catch (error) {
			await stop();
			throw error;
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#stop();
	}

	/**
	 * Opens an address as a reader who prefers these colours sees it. From then on its clock stands still,
	 * see `passTime`.
	 */
	async open(url: string, colours: 'dark' | 'light'): Promise<void> {
		const features = [{name: 'prefers-color-scheme', value: colours}];
		await this.#call('Emulation.setEmulatedMedia', {features});
		await this.#call('Emulation.setVirtualTimePolicy', {policy: 'advance'});
		const loaded = this.#answerTo('Page.loadEventFired');
		await this.#call('Page.navigate', {url});
		await loaded;
		await this.#call('Emulation.setVirtualTimePolicy', {policy: 'pause'});
	}

	/** Lets this many milliseconds of the page's time pass, which takes less real time. */
	async passTime(milliseconds: number): Promise<void> {
		const passed = this.#answerTo('Emulation.virtualTimeBudgetExpired');
		await this.#call('Emulation.setVirtualTimePolicy', {
			policy: 'pauseIfNetworkFetchesPending',
			budget: milliseconds,
		});
		await passed;
	}

	/** The value of a JavaScript expression in the page. */
	async evaluate(expression: string): Promise<unknown> {
		const {result} = await this.#call('Runtime.evaluate', {
			expression,
			returnByValue: true,
			awaitPromise: true,
		});
		return (result as {readonly value?: unknown}).value;
	}

	/**
	 * The upper left of the page as PNG. An image in the page may be drawn in its previous state, so it is
	 * drawn several times, 10 milliseconds apart, and the last one counts.
	 */
	async captureUpperLeft(width: number, height: number): Promise<Buffer> {
		for (let captureCount = 0; captureCount < 3; captureCount++) {
			await this.#capture(width, height);
			await this.passTime(10);
		}
		return this.#capture(width, height);
	}

	async #capture(width: number, height: number): Promise<Buffer> {
		const {data} = await this.#call('Page.captureScreenshot', {
			format: 'png',
			captureBeyondViewport: true,
			clip: {x: 0, y: 0, width, height, scale: 1},
		});
		return Buffer.from(String(data), 'base64');
	}

	async #call(method: string, params: unknown = {}): Promise<Readonly<Record<string, unknown>>> {
		this.#sent += 1;
		const id = this.#sent;
		const answer = this.#answerTo(id, method);
		this.#write.write(`${JSON.stringify({id, method, params, sessionId: this.#session})}\0`);
		const {result, error} = await answer;
		if (error) throw new Error(`${method}: ${error.message}`);
		return result ?? {};
	}

	async #answerTo(name: number | string, method = String(name)): Promise<Answer> {
		const {promise, resolve, reject} = Promise.withResolvers<Answer>();
		const timer = setTimeout(() => reject(new Error(`the browser gave no answer to ${method}`)), patience);
		this.#waiting.set(name, resolve);
		return promise.finally(() => clearTimeout(timer));
	}
}
