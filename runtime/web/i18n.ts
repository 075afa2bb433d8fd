import type { Bilingual } from '../../sdk/protocol.ts'

export type Language = 'en' | 'zh'

// `{0}` is the first value. Every text of the page itself; texts of a mode come from the mode.
const texts = {
  live: { en: 'live', zh: '已连接' },
  connecting: { en: 'connecting', zh: '连接中' },
  offline: { en: 'offline', zh: '已断开' },
  seed: { en: 'seed {0}', zh: '种子 {0}' },
  hash: { en: 'hash', zh: '哈希' },
  mods: { en: 'Mods', zh: '模组' },
  switchLanguage: { en: '中文', zh: 'English' },
  seat: { en: 'Seat', zh: '席位' },
  spectator: { en: 'Spectator', zh: '观战' },
  seatNumber: { en: 'Seat {0}', zh: '席位 {0}' },
  you: { en: 'you', zh: '你' },
  bot: { en: 'bot {0}', zh: '机器人 {0}' },
  units: { en: 'Status', zh: '状态' },
  others: { en: 'Others', zh: '其他' },
  gone: { en: 'fallen', zh: '阵亡' },
  noUnits: { en: 'Nothing on the field yet', zh: '场上暂无单位' },
  board: { en: 'Board', zh: '棋盘' },
  boardOf: { en: 'Board, {0} by {1} cells', zh: '棋盘，{0}×{1} 格' },
  pieceAt: { en: '{0} at {1},{2}', zh: '{0}，位于 {1},{2}' },
  cellCommand: { en: '{0} at {1},{2}', zh: '{0}，位于 {1},{2}' },
  health: { en: '{0} % health', zh: '生命 {0} %' },
  legend: { en: 'Terrain', zh: '地形' },
  faceDown: { en: '{0} face down', zh: '{0} 张背面朝上' },
  emptyZone: { en: 'empty', zh: '空' },
  onTurn: { en: 'on turn', zh: '行动中' },
  playable: { en: 'Play {0}', zh: '出牌 {0}' },
  log: { en: 'Log', zh: '日志' },
  logEmpty: { en: 'Nothing has happened yet', zh: '尚无记录' },
  askWhy: { en: 'Why?', zh: '为何？' },
  asking: { en: 'Asking the server…', zh: '正在询问服务器…' },
  why: { en: 'why {0}?', zh: '为何是 {0}？' },
  whatOf: { en: 'what became of {0}', zh: '{0} 的经过' },
  cancelled: { en: 'cancelled it: {0}', zh: '取消：{0}' },
  timeLeft: { en: 'time left', zh: '剩余时间' },
  took: { en: '{0} {1} µs', zh: '{0} {1} 微秒' },
  tookFuel: { en: '{0} {1} µs, fuel {2}', zh: '{0} {1} 微秒，步数 {2}' },
  moreEvents: { en: '{0} more events', zh: '另有 {0} 个事件' },
  newest: { en: '↓ Newest', zh: '↓ 最新' },
  watchEvents: { en: 'watching files', zh: '监视文件中' },
  watchPolling: { en: 'polling files', zh: '轮询文件中' },
  watchDegraded: { en: 'watching in part', zh: '仅部分监视' },
  watchOff: { en: 'not watching', zh: '未监视' },
  noMods: { en: 'No mods loaded', zh: '未加载模组' },
  swapped: { en: 'g{0} → g{1} · live in {2} ms', zh: 'g{0} → g{1} · {2} 毫秒后生效' },
  stateKept: { en: 'state kept', zh: '状态保留' },
  stillPlays: { en: 'g{0} still plays', zh: 'g{0} 仍在运行' },
  nothingPlays: { en: 'not loaded', zh: '未加载' },
  reload: { en: 'Reload {0}', zh: '重新加载 {0}' },
  waitsFor: { en: 'waits for {0}', zh: '等待 {0}' },
  oneApart: { en: '{0} more mod not in this match', zh: '另有 {0} 个模组未参与本局' },
  modsApart: { en: '{0} more mods not in this match', zh: '另有 {0} 个模组未参与本局' },
  modsWrong: { en: '{0} wrong', zh: '{0} 个有误' },
  times: { en: '× {0}', zh: '× {0}' },
  stateFaulting: { en: 'faulting', zh: '出错' },
  stateLive: { en: 'live', zh: '运行中' },
  stateStaging: { en: 'staging', zh: '载入中' },
  stateFailed: { en: 'failed', zh: '失败' },
  stateWaiting: { en: 'waiting', zh: '等待' },
  stateQuarantined: { en: 'quarantined', zh: '已隔离' },
  stateRefused: { en: 'refused', zh: '被拒绝' },
  stateDormant: { en: 'dormant', zh: '休眠' },
  server: { en: 'Server', zh: '服务器' },
  serverHelp: { en: 'Press Enter to connect to this address', zh: '按回车键连接此地址' },
  badAddress: { en: 'An address looks like 127.0.0.1:8888', zh: '地址格式如 127.0.0.1:8888' },
  command: { en: 'Command', zh: '命令' },
  commandPlaceholder: { en: 'Type a command, / to focus', zh: '输入命令，按 / 聚焦' },
  spectating: { en: 'Watching: take a seat to play', zh: '观战中：选择席位即可参与' },
  send: { en: 'Send', zh: '发送' },
  options: { en: 'Options', zh: '选项' },
  choose: { en: 'Choose…', zh: '请选择…' },
  pickRange: { en: 'Pick {0} to {1}', zh: '选择 {0} 至 {1} 项' },
  pickExactly: { en: 'Pick {0}', zh: '选择 {0} 项' },
  accepted: { en: 'Taken', zh: '已接受' },
  waitingReply: { en: 'Sent, waiting for the server', zh: '已发送，等待服务器' },
  lostReply: {
    en: 'The connection ended before the answer: look at the board to see whether it arrived.',
    zh: '在收到答复前连接已断开：请查看棋盘确认是否生效。',
  },
  notSent: { en: 'Not sent: there is no connection.', zh: '未发送：没有连接。' },
  request: { en: 'Current request', zh: '当前请求' },
  players: { en: 'Players', zh: '玩家' },
  ready: { en: 'ready', zh: '就绪' },
  thinking: { en: 'to act', zh: '行动中' },
  waiting: { en: 'waiting', zh: '等待中' },
  yourTurn: { en: 'your move', zh: '轮到你' },
  action: { en: 'action {0}', zh: '动作 {0}' },
  connectingTitle: { en: 'Connecting to {0}', zh: '正在连接 {0}' },
  connectingBody: { en: 'The match appears here as soon as the server answers.', zh: '服务器应答后将显示对局。' },
  offlineTitle: { en: 'No connection to {0}', zh: '无法连接 {0}' },
  offlineBody: {
    en: 'Is the server running? Start it with “npm start”. This page keeps trying by itself.',
    zh: '服务器在运行吗？用 “npm start” 启动。本页会自动重试。',
  },
  offlineStale: { en: 'The board below is as of action {0}.', zh: '下方棋盘停留在动作 {0}。' },
  tryNow: { en: 'Try now', zh: '立即重试' },
  openThere: { en: 'Open that server’s own page', zh: '打开该服务器的页面' },
  protocolTitle: { en: 'This page and the server do not match', zh: '本页与服务器版本不匹配' },
  protocolBody: {
    en: 'The page speaks protocol {0}, the server {1}. Load the page again from that server.',
    zh: '本页协议为 {0}，服务器为 {1}。请从该服务器重新加载页面。',
  },
  reloadPage: { en: 'Load again', zh: '重新加载' },
  unreadable: { en: 'The server sent something this page cannot read: {0}', zh: '服务器发来无法识别的内容：{0}' },
  waitingMatch: { en: 'Waiting for a match', zh: '等待对局' },
  waitingServer: { en: 'Waiting for the server', zh: '等待服务器' },
  noMatchTitle: { en: 'No match yet', zh: '暂无对局' },
  noMatchBody: {
    en: 'The server is there. The match appears here when one begins.',
    zh: '服务器已就绪。对局开始后将显示在此处。',
  },
  badViewTitle: { en: 'The mode shows something that cannot be drawn', zh: '该模式的画面无法绘制' },
  finishedTitle: { en: '{0} wins', zh: '{0} 获胜' },
  finishedMany: { en: '{0} win', zh: '{0} 获胜' },
  drawTitle: { en: 'Draw', zh: '平局' },
  youWin: { en: 'You win', zh: '你赢了' },
  pausedTitle: { en: 'The match is paused', zh: '对局已暂停' },
  stoppedTitle: { en: 'The match was stopped', zh: '对局已中止' },
} as const satisfies Record<string, Bilingual>

export type TextKey = keyof typeof texts

/** A text of the page, its values put in. */
export function say(language: Language, key: TextKey, ...values: (string | number)[]): string {
  return texts[key][language].replace(/\{(\d)\}/g, (slot, n) => String(values[Number(n)] ?? slot))
}

/** A text of the page in both languages. */
export function both(key: TextKey): Bilingual {
  return texts[key]
}

/** A text of the server. */
export function read(language: Language, text: Bilingual): string {
  return text[language] || text.en
}

/** The same text in the other language, or null if it would only repeat. */
export function aside(language: Language, text: Bilingual): string | null {
  const other = text[language === 'en' ? 'zh' : 'en']
  return other && other !== read(language, text) ? other : null
}
