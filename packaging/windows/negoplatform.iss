; The installer for Windows, made with Inno Setup 6.3 or newer from dist\NegoPlatform:
;   iscc packaging\windows\negoplatform.iss
; For one user, without an administrator. Untried: written on Linux.

#define Program AddBackslash(SourcePath) + "..\..\dist\NegoPlatform\NegoPlatform.exe"
#if !FileExists(Program)
  #error There is no dist\NegoPlatform\NegoPlatform.exe; packaging\build.py builds it.
#endif
; As pyproject.toml has it, such as 0.2.0rc1; and in numbers alone, such as 0.2.0.0.
#define Version GetStringFileInfo(Program, "ProductVersion")
#define Numbers GetVersionNumbersString(Program)

[Setup]
AppId={{6B0A5E0E-6C0F-4F0B-9B51-5B1B6F7B4D0A}
AppName=NegoPlatform
AppVersion={#Version}
AppPublisher=The NegoPlatform authors
VersionInfoVersion={#Numbers}
SourceDir=..\..
OutputDir=dist
OutputBaseFilename=NegoPlatform-{#Version}-windows-setup
LicenseFile=LICENSE
SetupIconFile=build\app\negoplatform.ico
UninstallDisplayIcon={app}\NegoPlatform.exe
DefaultDirName={autopf}\NegoPlatform
DefaultGroupName=NegoPlatform
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
Compression=lzma2
SolidCompression=yes
WizardStyle=modern

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"
Name: "he"; MessagesFile: "compiler:Languages\Hebrew.isl"

[Files]
Source: "dist\NegoPlatform\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[InstallDelete]
; What an older version had and this one has not must not be found by it. Agents beside the program stay.
Type: filesandordirs; Name: "{app}\_internal"

[Icons]
Name: "{group}\NegoPlatform"; Filename: "{app}\NegoPlatform.exe"; AppUserModelID: "NegoPlatform.NegoPlatform"

[Registry]
; "Open with" for session logs; other programs keep what they open.
Root: HKA; Subkey: "Software\Classes\.jsonl\OpenWithProgids"; ValueType: string; ValueName: "NegoPlatform.Log"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\NegoPlatform.Log"; ValueType: string; ValueData: "Negotiation session log"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\NegoPlatform.Log\DefaultIcon"; ValueType: string; ValueData: "{app}\NegoPlatform.exe,0"
Root: HKA; Subkey: "Software\Classes\NegoPlatform.Log\shell\open\command"; ValueType: string; ValueData: """{app}\NegoPlatform.exe"" ""%1"""

[Run]
Filename: "{app}\NegoPlatform.exe"; Description: "{cm:LaunchProgram,NegoPlatform}"; Flags: nowait postinstall skipifsilent
