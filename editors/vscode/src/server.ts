// The server's life: started, restarted with other settings, stopped.

import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, State as ClientState } from "vscode-languageclient/node";
import type { ErrorHandler, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { find } from "./binary";
import * as environment from "./environment";
import { forServer, wantsRestart, workspaceFolder } from "./settings";
import type { Status } from "./status";

/** A server that ends by itself so often within `LATELY` is not started again. */
const MOST_CRASHES = 4;
const LATELY = 3 * 60_000;

/** What a lens above a function does when it is clicked. */
const TRACE_CACHE_AT = "jitlens.traceCacheAt";

interface Asked {
  textDocument: { uri: string };
  position: { line: number; character: number };
}

/** The one server of a window. */
export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly channel = vscode.window.createOutputChannel("jitlens", { log: true });
  private readonly subscriptions: vscode.Disposable[] = [this.channel];
  /** Starting and stopping happen one after the other. */
  private queue: Promise<void> = Promise.resolve();
  private crashes: number[] = [];
  /** What has happened in the life of the server, the last events. */
  private readonly events: string[] = [];
  private lens: ((uri: vscode.Uri, position: vscode.Position) => void) | undefined;

  constructor(private readonly context: vscode.ExtensionContext, private readonly status: Status) {
    this.subscriptions.push(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (wantsRestart(event)) void this.restart();
        else if (event.affectsConfiguration("jitlens.trace.server")) return;
        else if (event.affectsConfiguration("jitlens")) void this.tellSettings();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.restart()),
    );
    void environment.onChange(() => void this.restart()).then((listener) => this.subscriptions.push(listener));
  }

  /** The client, if it runs. */
  running(): LanguageClient | undefined {
    return this.client?.isRunning() ? this.client : undefined;
  }

  start(): Promise<void> {
    return this.next(() => this.startNow());
  }
  stop(): Promise<void> {
    return this.next(() => this.stopNow());
  }
  restart(): Promise<void> {
    return this.next(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  /** Calls back when a lens is clicked, with the place of its function. */
  onLens(callback: (uri: vscode.Uri, position: vscode.Position) => void): void {
    this.lens = callback;
  }

  lastMessages(): readonly string[] {
    return this.events;
  }

  private happened(what: string): void {
    this.events.push(`${new Date().toISOString()} ${what}`);
    if (this.events.length > 20) this.events.shift();
  }

  showLog(): void {
    this.channel.show(true);
  }

  private next(step: () => Promise<void>): Promise<void> {
    return (this.queue = this.queue.then(step, step));
  }

  private async startNow(): Promise<void> {
    if (this.client) return;
    const configuration = vscode.workspace.getConfiguration("jitlens");
    const binary = find({
      setting: configuration.get("path", "").trim(),
      extension: this.context.extensionPath,
      workspace: workspaceFolder(),
      path: process.env.PATH,
    });
    if ("missing" in binary) return this.fail(binary.missing);
    this.status.set({ is: "starting" });
    this.channel.info(`starting ${binary.path} (from ${binary.from})`);
    this.happened(`starting ${binary.path} (from ${binary.from})`);
    const client = new LanguageClient("jitlens", "jitlens", await this.options(binary.path), this.clientOptions());
    client.onDidChangeState(({ newState }) => {
      if (this.client !== client) return;
      if (newState === ClientState.Running) {
        const version = client.initializeResult?.serverInfo?.version ?? "";
        this.status.set({ is: "ready", version, path: binary.path });
        this.happened(`ready, version ${version}`);
      } else if (newState === ClientState.Starting) this.status.set({ is: "starting" });
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.client = undefined;
      this.fail(`The server ${binary.path} does not start: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.status.set({ is: "stopped" });
    // A server that does not leave is killed by the client.
    await client?.dispose().catch((error: unknown) => this.channel.warn(`while stopping: ${String(error)}`));
  }

  private fail(why: string): void {
    this.channel.error(why);
    this.happened(why);
    this.status.set({ is: "failed", why });
    void vscode.window.showErrorMessage(`jitlens: ${why}`, "Show Log", "Open Settings").then((chosen) => {
      if (chosen === "Show Log") this.showLog();
      if (chosen === "Open Settings") void vscode.commands.executeCommand("workbench.action.openSettings", "jitlens.path");
    });
  }

  private async options(command: string): Promise<ServerOptions> {
    const level = vscode.workspace.getConfiguration("jitlens").get("logLevel", "warn");
    const env: NodeJS.ProcessEnv = { ...process.env };
    if (level !== "warn") env.JITLENS_LOG = `jitlens=${level}`;
    const chosen = await environment.chosen();
    if (chosen !== undefined) env.VIRTUAL_ENV = chosen;
    // Without a transport it is stdin and stdout, and no `--stdio` among the arguments.
    return { command, args: ["server"], options: { env } };
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: ["file", "vscode-notebook-cell"].map((scheme) => ({ scheme, language: "python" })),
      outputChannel: this.channel,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: forServer(),
      errorHandler: this.errorHandler(),
      // What the server is asked to show is often a file that it has just written.
      markdown: { isTrusted: false, supportHtml: false },
      middleware: {
        provideDocumentSemanticTokens: (document, token, next) => (coloured() ? next(document, token) : undefined),
        provideDocumentRangeSemanticTokens: (document, range, token, next) => (coloured() ? next(document, range, token) : undefined),
        executeCommand: async (command, args: unknown[], next) => {
          const asked = args[0] as Asked | undefined;
          if (command !== TRACE_CACHE_AT || !asked || !this.lens) return next(command, args);
          this.lens(vscode.Uri.parse(asked.textDocument.uri, true), new vscode.Position(asked.position.line, asked.position.character));
          return undefined;
        },
        workspace: { configuration: (params) => params.items.map((item) => (item.section === "jitlens" ? forServer() : null)) },
        handleWorkDoneProgress: (token, params) => {
          if (params.kind === "begin") this.status.progress(token, [params.title, params.message].filter(Boolean).join(" "));
          if (params.kind === "end") this.status.progress(token, undefined);
        },
      },
    };
  }

  private errorHandler(): ErrorHandler {
    return {
      error: () => ({ action: ErrorAction.Continue }),
      closed: () => {
        const now = Date.now();
        this.happened("the server has ended by itself");
        this.crashes = [...this.crashes.filter((then) => now - then < LATELY), now];
        if (this.crashes.length <= MOST_CRASHES) return { action: CloseAction.Restart, handled: true };
        this.client = undefined;
        this.crashes = [];
        this.fail(`The server ended by itself ${MOST_CRASHES + 1} times in a short while.`);
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    };
  }

  private async tellSettings(): Promise<void> {
    // The server asks for what it wants to know.
    await this.running()?.sendNotification("workspace/didChangeConfiguration", { settings: { jitlens: forServer() } });
  }

  dispose(): void {
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }
}

/** Whether the user wants names of traced values coloured. */
function coloured(): boolean {
  return vscode.workspace.getConfiguration("jitlens").get("semanticTokens", true);
}
